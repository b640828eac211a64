"""os: paths, and a folder's names. Its environment begins empty; nothing is written."""
import os.path as path
from _os import environ, getcwd, getenv, linesep, listdir, name, sep

curdir, pardir, extsep, pathsep, altsep, devnull = ".", "..", ".", ":", None, "/dev/null"
error = OSError


class PathLike:
    pass


def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    from pathlib import PurePath
    if isinstance(path, PurePath):
        return str(path)
    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(path).__name__}")


def cpu_count():
    return 1


def getpid():
    return 1


def urandom(size):
    import secrets
    return secrets.token_bytes(size)


def walk(top, topdown=True, onerror=None, followlinks=False):
    top = fspath(top)
    try:
        names = listdir(top)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    folders = [one for one in names if path.isdir(path.join(top, one))]
    files = [one for one in names if one not in set(folders)]
    if topdown:
        yield top, folders, files
    for one in folders:
        yield from walk(path.join(top, one), topdown, onerror, followlinks)
    if not topdown:
        yield top, folders, files


def getenvb(key, default=None):
    raise NotImplementedError("os.getenvb() is not in the language")


def putenv(name, value):
    environ[name] = value


def makedirs(name, mode=0o777, exist_ok=False):
    if not (exist_ok and path.isdir(name)):
        raise PermissionError(f"os.makedirs({fspath(name)!r}): programs may not write files")


def mkdir(path, mode=0o777):
    raise PermissionError(f"os.mkdir({fspath(path)!r}): programs may not write files")


def remove(path):
    raise PermissionError(f"os.remove({fspath(path)!r}): programs may not write files")


unlink = rmdir = remove


def rename(src, dst):
    raise PermissionError(f"os.rename({fspath(src)!r}): programs may not write files")


replace = rename


def system(command):
    raise PermissionError("os.system() is not in the language: programs start no others")


popen = system
