"""urllib: parse."""
import urllib.parse as parse
