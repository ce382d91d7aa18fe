# SPDX-License-Identifier: GPL-2.0-or-later
# by_schema.py SCHEMA WRONG: each line of standard input must be valid, and WRONG must not,
# or the schema would take anything.
import json
import sys

import jsonschema

schema, wrong = sys.argv[1:]
with open(schema) as file:
    judge = jsonschema.Draft7Validator(json.load(file))
for line in sys.stdin:
    judge.validate(json.loads(line))
if judge.is_valid(json.loads(wrong)):
    sys.exit("the schema takes anything")
