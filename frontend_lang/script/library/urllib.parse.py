"""urllib.parse: addresses taken apart and put together."""
from collections import namedtuple as _namedtuple

_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~")


def quote(string, safe="/", encoding=None, errors=None):
    data = string if isinstance(string, bytes) else str(string).encode(encoding or "utf-8",
                                                                       errors or "strict")
    return "".join(chr(byte) if chr(byte) in _SAFE or chr(byte) in safe else f"%{byte:02X}"
                   for byte in data)


def quote_plus(string, safe="", encoding=None, errors=None):
    return quote(string, safe + " ", encoding, errors).replace(" ", "+")


def unquote_to_bytes(string):
    data = string.encode() if isinstance(string, str) else string
    pieces = data.split(b"%")
    out = [pieces[0]]
    for piece in pieces[1:]:
        try:
            out.append(bytes.fromhex(piece[:2].decode("ascii")) + piece[2:])
        except ValueError:
            out.append(b"%" + piece)
    return b"".join(out)


def unquote(string, encoding="utf-8", errors="replace"):
    if "%" not in string:
        return string
    return unquote_to_bytes(string).decode(encoding, errors)


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    pairs = []
    for key, value in query.items() if hasattr(query, "items") else query:
        many = doseq and isinstance(value, (list, tuple))
        for one in value if many else [value]:
            pairs.append(quote_via(key, safe) + "=" + quote_via(one, safe))
    return "&".join(pairs)


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8",
              errors="replace", max_num_fields=None, separator="&"):
    pairs = []
    for field in qs.split(separator):
        name, equals, value = field.partition("=")
        if value or keep_blank_values and (equals or field):
            pairs.append((unquote_plus(name, encoding, errors),
                          unquote_plus(value, encoding, errors)))
    return pairs


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8",
             errors="replace", max_num_fields=None, separator="&"):
    found = {}
    for name, value in parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors,
                                 max_num_fields, separator):
        found.setdefault(name, []).append(value)
    return found


class _Located:
    """The parts of a netloc: user:password@host:port."""

    @property
    def _host_and_port(self):
        host = self.netloc.rpartition("@")[2]
        if host.startswith("["):
            name, _, rest = host[1:].partition("]")
            return name, rest.removeprefix(":")
        name, _, port = host.partition(":")
        return name, port

    @property
    def hostname(self):
        return self._host_and_port[0].lower() or None

    @property
    def port(self):
        port = self._host_and_port[1]
        if not port:
            return None
        if not port.isdigit():
            raise ValueError(f"Port could not be cast to integer value as {port!r}")
        return int(port)

    @property
    def username(self):
        user, at, _ = self.netloc.rpartition("@")
        return user.partition(":")[0] if at else None

    @property
    def password(self):
        user, at, _ = self.netloc.rpartition("@")
        name, colon, password = user.partition(":")
        return password if at and colon else None

    def geturl(self):
        return urlunparse(self) if len(self) == 6 else urlunsplit(self)


class SplitResult(_namedtuple("SplitResult", "scheme netloc path query fragment"), _Located):
    pass


class ParseResult(_namedtuple("ParseResult", "scheme netloc path params query fragment"),
                  _Located):
    pass


def urlsplit(url, scheme="", allow_fragments=True):
    url = url.strip()
    head, colon, rest = url.partition(":")
    if colon and head[:1].isalpha() and all(c.isalnum() or c in "+-." for c in head):
        scheme, url = head.lower(), rest
    netloc, fragment, query = "", "", ""
    if url.startswith("//"):
        end = min((at for at in (url.find(mark, 2) for mark in "/?#") if at >= 0),
                  default=len(url))
        netloc, url = url[2:end], url[end:]
    if allow_fragments:
        url, _, fragment = url.partition("#")
    url, _, query = url.partition("?")
    return SplitResult(scheme, netloc, url, query, fragment)


def urlparse(url, scheme="", allow_fragments=True):
    split = urlsplit(url, scheme, allow_fragments)
    head, slash, last = split.path.rpartition("/")
    path, _, params = last.partition(";")
    return ParseResult(split.scheme, split.netloc, head + slash + path, params, split.query,
                       split.fragment)


def urlunsplit(parts):
    scheme, netloc, url, query, fragment = parts
    if netloc:
        url = "//" + netloc + ("/" if url and not url.startswith("/") else "") + url
    return ((scheme + ":" if scheme else "") + url + ("?" + query if query else "")
            + ("#" + fragment if fragment else ""))


def urlunparse(parts):
    scheme, netloc, url, params, query, fragment = parts
    return urlunsplit((scheme, netloc, f"{url};{params}" if params else url, query, fragment))


def urljoin(base, url, allow_fragments=True):
    if not base or not url:
        return url or base
    old, new = urlsplit(base), urlsplit(url)
    if new.scheme and new.scheme != old.scheme:
        return url
    if new.netloc:
        return urlunsplit((old.scheme,) + tuple(new)[1:])
    if not new.path:
        return urlunsplit((old.scheme, old.netloc, old.path, new.query or old.query, new.fragment))
    path = new.path if new.path.startswith("/") else old.path.rpartition("/")[0] + "/" + new.path
    names = []
    parts = path.split("/")
    for name in parts:
        if name == "..":
            if len(names) > 1:
                names.pop()
        elif name != ".":
            names.append(name)
    if parts[-1] in (".", ".."):
        names.append("")
    return urlunsplit((old.scheme, old.netloc, "/".join(names), new.query, new.fragment))
