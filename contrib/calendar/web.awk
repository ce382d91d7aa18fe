# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the page of rspb web from page.html: style and scripts are files beside it, the
# document comes over HTTP, and the headers have the policy.
# awk -f web.awk page.html
/^<style/ { print "<link rel=\"stylesheet\" href=\"app.css\">"; skipping = 1 }
/^<script id="data"/ { next }
/^<script nonce/ { print "<script src=\"app.js\" defer></script>"; skipping = 1 }
/http-equiv="Content-Security-Policy"/ { next }
!skipping { print }
/^<\/style>/ || /^<\/script>/ { skipping = 0 }
