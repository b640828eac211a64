"""collections."""
from _chain import ChainMap, UserDict, UserList
from _collections import Counter, OrderedDict, defaultdict, deque, namedtuple
import collections.abc as abc
