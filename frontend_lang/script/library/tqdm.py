"""tqdm: what it goes over, without a bar."""


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, **options):
        self._iterable, self.desc, self.total, self.n = iterable, desc, total, 0
        if total is None and hasattr(iterable, "__len__"):
            self.total = len(iterable)

    def __iter__(self):
        for item in self._iterable:
            yield item
            self.n += 1

    def __len__(self):
        return self.total or 0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        pass

    def update(self, n=1):
        self.n += n

    def set_description(self, desc=None, refresh=True):
        self.desc = desc

    def set_postfix(self, *args, **kwargs):
        pass

    def set_postfix_str(self, *args, **kwargs):
        pass

    def refresh(self):
        pass

    def close(self):
        pass

    @staticmethod
    def write(s, file=None, end="\n", nolock=False):
        print(s, file=file, end=end)


def trange(*args, **options):
    return tqdm(range(*args), **options)
