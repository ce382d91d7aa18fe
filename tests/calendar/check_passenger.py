# SPDX-License-Identifier: GPL-2.0-or-later
"""The app for Open OnDemand behind Apache and Phusion Passenger, as the portal runs it.

check_passenger.py: rspb web of the build, with no slurmctld.
"""
import http.client
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time

import check_ondemand as ondemand
import webdriver
from judge import RSPB, check, failed, scontrol

MODULES = "mpm_event authz_core alias env passenger"
CONFIGURATION = """
ServerRoot {folder}
ServerName localhost
PidFile {folder}/pid
ErrorLog {folder}/error.log
DefaultRuntimeDir {folder}
Listen 127.0.0.1:{port}
{modules}
PassengerRoot /usr/lib/ruby/vendor_ruby/phusion_passenger/locations.ini
PassengerDefaultRuby /usr/bin/ruby
PassengerNodejs /usr/bin/node
PassengerInstanceRegistryDir {folder}
PassengerDisableAnonymousTelemetry on
PassengerDisableSecurityUpdateCheck on
{switching}
DocumentRoot {folder}/root
<Directory {folder}>
    Require all granted
</Directory>
Alias {base} {folder}/app/public
<Location {base}>
    PassengerBaseURI {base}
    PassengerAppRoot {folder}/app
    PassengerAppType node
    PassengerStartupFile app.js
    PassengerMaxRequestQueueSize 20
    {user}
    SetEnv RSPB {rspb}
    SetEnv PATH {folder}:/usr/bin:/bin
</Location>
"""


class Portal(ondemand.App):
    """An Apache of its own, on a port of loopback."""

    def __init__(self, folder, user):
        self.folder, self.user = folder, user
        self.command = ["apache2", "-f", os.path.join(folder, "httpd.conf")]
        for name in ("app/public", "root"):
            os.makedirs(os.path.join(folder, name))
        shutil.copy(ondemand.APP, os.path.join(folder, "app/app.js"))
        scontrol(folder)
        subprocess.run(["chmod", "-R", "go+rX", folder], check=True)
        # Another program may take the port before Apache does.
        for _ in range(3):
            if self.begin():
                return
        sys.exit(f"FAIL Apache does not start: {self.said} {self.errors()}")

    def begin(self):
        """Starts Apache on a free port; returns whether it listens there."""
        self.port = webdriver.free_port()
        user = self.user
        with open(self.command[2], "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                folder=self.folder, port=self.port, base=ondemand.BASE, rspb=RSPB,
                modules="\n".join(f"LoadModule {one}_module "
                                  f"/usr/lib/apache2/modules/mod_{one}.so"
                                  for one in MODULES.split()),
                switching="User nobody\nGroup nogroup" if user else
                "PassengerUserSwitching off",
                user=f"PassengerUser {user}\n    PassengerGroup {user}" if user else ""))
        said = subprocess.run([*self.command, "-k", "start"], capture_output=True,
                              text=True)
        self.said = said.stdout + said.stderr
        end = time.monotonic() + (60 if not said.returncode else 0)
        while time.monotonic() < end:
            if os.path.exists(os.path.join(self.folder, "pid")):
                return True
            time.sleep(0.1)
        return False

    def line(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def end(self):
        subprocess.run([*self.command, "-k", "stop"], check=False)
        end = time.monotonic() + 60
        while time.monotonic() < end and os.path.exists(os.path.join(self.folder, "pid")):
            time.sleep(0.1)

    def errors(self):
        try:
            with open(os.path.join(self.folder, "error.log"), encoding="utf-8") as file:
                return file.read()[-1500:]
        except FileNotFoundError:
            return "no error.log"


def servers_of(user):
    """The rspb web that the app of that user has started."""
    said = subprocess.run(["ps", "-o", "pid=,args=", "-u", user], capture_output=True,
                          text=True).stdout
    return [one for one in said.splitlines() if " web --socket=" in one and "rspb-ood" in one]


def main():
    user = "games" if not os.geteuid() else ""
    name = user or pwd.getpwuid(os.geteuid()).pw_name
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        portal = Portal(folder, user)
        try:
            status, text, _ = portal.session()
            check("Passenger starts the app, and that rspb web", status == 200,
                  (status, text, portal.said, portal.errors()))
            if not failed:
                check("as the user of the portal", len(servers_of(name)) == 1,
                      servers_of(name))
                ondemand.show_page(portal)
                ondemand.pass_on(portal, ondemand.guard_token(
                    portal, pwd.getpwnam(name).pw_uid))
        finally:
            portal.end()
        end = time.monotonic() + 30
        while servers_of(name) and time.monotonic() < end:
            time.sleep(0.2)
        check("with Apache the app and its server end", not servers_of(name),
              servers_of(name))
    return bool(failed)


sys.exit(main())
