"""Under which names hil holds places.

labgrid shows who holds a place as HOST/USER. A hil job puts itself into the host's part, so that everybody sees whose lock it
is, and so that another run on the same machine can tell whether the job still runs:

    ci-3:hil:nightly:1f0c9a2b:4711:98231/kim
    host :hil: job : origin : pid : start / user

The origin stands for one boot of one machine and its name space of processes; the start is that of the process in ticks.
"""

import hashlib
import os
import re
import socket
from dataclasses import dataclass
from getpass import getuser

_PATTERN = re.compile(r"([^:/]*):hil:([^:/]*):([0-9a-f]{8}):(\d{1,9}):(\d{1,20})/(.+)")


def _word(text, fallback):
    """The text without what separates the parts of a name."""
    return re.sub(r"[^A-Za-z0-9_.@+-]+", "-", text)[:60].strip("-") or fallback


def _origin():
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        boot, space = "", ""
    return hashlib.sha256(f"{boot}{space}".encode()).hexdigest()[:8]


def _start(pid):
    """When a process started, in ticks after the boot; None if it does not run."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    # The name is in parentheses; after it come the state, as field 3, and the start, as field 22 (proc(5)).
    return int(fields[19]) if fields[0] not in ("Z", "X") else None


@dataclass(frozen=True)
class Owner:
    """The holder of a place that is a hil job."""

    host: str
    job: str
    origin: str
    pid: int
    start: int
    user: str

    @classmethod
    def current(cls, job):
        """This process. LG_HOSTNAME and LG_USERNAME name the host and the user, as for labgrid's own client."""
        host = _word(os.environ.get("LG_HOSTNAME") or socket.gethostname(), "unknown")
        user = _word(os.environ.get("LG_USERNAME") or getuser(), "unknown")
        return cls(host, _word(job, "run"), _origin(), os.getpid(), _start(os.getpid()) or 0, user)

    @classmethod
    def parse(cls, text):
        """The job of this name; None if no hil job has it."""
        found = _PATTERN.fullmatch(text or "")
        if not found:
            return None
        host, job, origin, pid, start, user = found.groups()
        return cls(host, job, origin, int(pid), int(start), user)

    @property
    def hostpart(self):
        return f"{self.host}:hil:{self.job}:{self.origin}:{self.pid}:{self.start}"

    def __str__(self):
        return f"{self.hostpart}/{self.user}"

    @property
    def runs(self):
        """Whether the job still runs; None if that cannot be seen from here."""
        if self.origin != _origin():
            return None
        return _start(self.pid) == self.start


def holder(text):
    """Who holds a place, as a JSON object; None if nobody does."""
    if not text:
        return None
    owner = Owner.parse(text)
    if owner:
        return {"host": owner.host, "user": owner.user, "job": owner.job, "runs": owner.runs}
    host, _, user = text.partition("/")
    return {"host": host, "user": user}


def words(text):
    """Who holds a place, for people: `kim on ci-3 (hil job nightly)`."""
    who = holder(text)
    job = f" (hil job {who['job']}{', which no longer runs' if who['runs'] is False else ''})" if "job" in who else ""
    return f"{who['user']} on {who['host']}{job}"
