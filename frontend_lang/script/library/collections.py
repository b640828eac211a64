"""collections."""
from _chain import ChainMap, UserDict, UserList, UserString
from _collections import Counter, OrderedDict, defaultdict, deque, namedtuple
import collections.abc as abc

abc.MutableMapping.register(ChainMap)
abc.MutableMapping.register(UserDict)
abc.MutableSequence.register(UserList)
abc.Sequence.register(UserString)
