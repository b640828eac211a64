"""json.encoder."""
from _json import JSONEncoder
