"""concurrent: futures."""
import concurrent.futures as futures
