b = b"abc\x00\xff'"
print(b, len(b), b[0], b[1:3], list(b[:2]), b == b"abc\x00\xff'", b"" or "empty")
print("héllo €".encode(), "héllo".encode("latin-1"), "abc".encode("ascii"), b"h\xc3\xa9".decode())
print("é".encode("ascii", "ignore"), "é".encode("ascii", "replace"), b"a\xffb".decode("utf-8", "replace"))
print(b"a\xffb".decode("ascii", "ignore"), "é€".encode("ascii", "backslashreplace"))
print(b"a,b,,c".split(b","), b"  x ".strip(), b"abc".upper(), b"a-b".replace(b"-", b"+"), b",".join([b"x", b"y"]))
print(b"abc".find(b"c"), b"abc".startswith(b"ab"), b"abc".endswith((b"x", b"c")), b"12".isdigit(), b"b" in b"abc", 97 in b"abc")
print(b"abc".hex(), b"abcdef".hex("-", 2), bytes.fromhex("61 62"), bytes(3), bytes([65, 66]), bytes("é", "utf-8"))
print(b"a" + b"b", b"ab" * 2, b"a" < b"b", sorted([b"b", b"a"]), {b"k": 1}[b"k"], hash(b"x") == hash(b"x"))
print(isinstance(b, bytes), isinstance("x", (str, bytes)), type(b), str(b"x"), str(b"x", "utf-8"), repr(b'"'))
print([c for c in b"hi"], b"a\nb\r\nc".splitlines(), b"x".center(5, b"*"), b"\t\\".decode(), rb"\n", b"a" b"b")
#---
def tell(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__ + ":", error)
tell(lambda: "é".encode("ascii"))
tell(lambda: "aéèb".encode("ascii"))
tell(lambda: b"\xff".decode())
tell(lambda: b"ab\xc3".decode())
tell(lambda: b"\xe9a".decode("utf-8"))
tell(lambda: b"\xe9".decode("ascii"))
tell(lambda: "x".encode("nope"))
tell(lambda: b"a" + "b")
tell(lambda: "a" + b"b")
tell(lambda: b"abc".find("a"))
tell(lambda: b"abc".split(","))
tell(lambda: b"abc"[5])
tell(lambda: b"abc"["a"])
tell(lambda: bytes("x"))
tell(lambda: bytes([256]))
tell(lambda: bytes.fromhex("zz"))
tell(lambda: b",".join(["a"]))
tell(lambda: b"abc".index(b"z"))
tell(lambda: b"abc".startswith("a"))
tell(lambda: b"a" < "a")
#---
import base64, binascii
print(base64.b64encode(b"hello"), base64.b64encode("héé".encode()).decode(), base64.b64encode(b""))
print(base64.b64decode("aGVsbG8="), base64.b64decode(b"aGVs bG8="), base64.urlsafe_b64encode(b"\xfb\xff"))
print(base64.urlsafe_b64decode("-_8="), binascii.hexlify(b"ab"), binascii.unhexlify("6162"))
for text in ("aGVsbG8", "a", "aGVs*bG8="):
    try:
        print(base64.b64decode(text))
    except binascii.Error as error:
        print("Error:", error)
try:
    base64.b64encode("text")
except TypeError as error:
    print(error)
#---
import hashlib, hmac
print(hashlib.sha256(b"abc").hexdigest())
print(hashlib.md5("é".encode()).hexdigest(), hashlib.sha1().hexdigest())
h = hashlib.new("sha512")
h.update(b"a")
copy = h.copy()
h.update(b"b")
print(h.hexdigest()[:20], copy.hexdigest()[:20], h.digest_size, h.name, h.block_size, h.digest()[:3])
print(hmac.new(b"k", b"m", "sha256").hexdigest(), hmac.new(b"k" * 100, b"m", hashlib.md5).hexdigest())
try:
    hashlib.sha256("text")
except TypeError as error:
    print(error)
