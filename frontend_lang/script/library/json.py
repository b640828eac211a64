"""json."""
import json.decoder as decoder
import json.encoder as encoder
from _json import JSONDecodeError, JSONDecoder, JSONEncoder, dump, dumps, load, loads
