"""Which boards a place has, and what switches their power.

The tags `host=ALIAS` and `accessory=ALIAS` of a place name boards as the SSH configuration of the machine that runs hil knows
them. Without such a tag the board is the NetworkService resource of that name, `host` or `accessory`: the name in the exporter's
file, or the one that the place's match gives it. `accessory=none` says that nobody logs in to the accessory. The resources
`host-power` and `accessory-power` switch the boards.
"""

import re

#: What ssh takes for a destination, and neither for an option nor for a command.
_WORD = re.compile(r"[A-Za-z0-9_\[][A-Za-z0-9_.@:%\[\]-]{0,250}")
_ROLES = ("host", "accessory")


class Problem(Exception):
    """Why a place cannot be used as a bench."""


class Resources:
    """The resources that a coordinator knows, found by the group that they are in."""

    def __init__(self):
        self._groups = {}

    def change(self, exporter, group, name, data):
        entries = self._groups.setdefault(group, {})
        if data.get("cls"):
            entries[exporter, name] = data
        else:
            entries.pop((exporter, name), None)
            if not entries:
                del self._groups[group]

    def get(self, path):
        exporter, group, _, name = path
        return self._groups.get(group, {}).get((exporter, name))

    def matching(self, match):
        """The paths and the data of what a match of a place selects."""
        pattern = match.group
        groups = self._groups if any(sign in pattern for sign in "*?[") else [pattern]
        for group in groups:
            for (exporter, name), data in self._groups.get(group, {}).items():
                path = (exporter, group, data["cls"], name)
                if match.ismatch(path):
                    yield path, data


class Bench:
    """A place with its boards. Raises Problem if it is none."""

    def __init__(self, place, resources):
        self.paths = []
        self._named = {}
        missing = None
        for match in place.matches:
            found = list(resources.matching(match))
            if not found:
                missing = missing or match
            for path, data in found:
                self.paths.append(path)
                self._named[match.rename or path[3]] = data
        if missing:
            raise Problem(f"no exporter offers {missing!r} now")
        for path in self.paths:
            if not resources.get(path).get("avail"):
                raise Problem(f"its resource {'/'.join(path)} is not available")
        self.boards = {role: self._board(place, role) for role in _ROLES}

    def _board(self, place, role):
        alias = place.tags.get(role)
        if alias == "none" and role == "accessory":
            return None
        if alias is not None:
            if not _WORD.fullmatch(alias):
                raise Problem(f"its tag {role}={alias} is not a name for ssh")
            return alias
        data = self._named.get(role)
        if data is None or data["cls"] != "NetworkService":
            none = ", or accessory=none" if role == "accessory" else ""
            raise Problem(
                f"it says nowhere which board is the {role}: it needs a NetworkService resource of the name {role}, "
                f"or the tag {role}=ALIAS{none}"
            )
        params = data["params"]
        if params.get("extra", {}).get("proxy_required"):
            raise Problem(
                f"its {role} board is reached only through its exporter {params['extra'].get('proxy')}: give it an alias "
                f"with a jump host in the SSH configuration, and the place the tag {role}=ALIAS"
            )
        user, address, port = params.get("username"), str(params.get("address")), params.get("port", 22)
        if port != 22:
            address = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        word = f"{user}@{address}"
        if not _WORD.fullmatch(word):
            raise Problem(f"its {role} board's address is not one for ssh: {word}")
        return word

    def power(self, role):
        """The class, the arguments and the extra values of the resource that switches a board; None if there is none."""
        data = self._named.get(f"{role}-power")
        if data is None:
            return None
        arguments = {name: value for name, value in data["params"].items() if name != "extra"}
        return data["cls"], arguments, data["params"].get("extra", {})

    @property
    def json(self):
        return {**self.boards, "power": [role for role in _ROLES if self.power(role)]}
