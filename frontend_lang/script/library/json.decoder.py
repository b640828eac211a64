"""json.decoder."""
from _json import JSONDecodeError, JSONDecoder
