"""csv: rows of texts, with commas between them."""

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3


class Error(Exception):
    pass


class Dialect:
    delimiter, quotechar, escapechar, doublequote = ",", '"', None, True
    skipinitialspace, lineterminator, quoting, strict = False, "\r\n", QUOTE_MINIMAL, False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    lineterminator, quoting = "\n", QUOTE_ALL


_DIALECTS = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}


def register_dialect(name, dialect=None, **options):
    _DIALECTS[name] = _dialect_of(dialect or "excel", options)


def list_dialects():
    return list(_DIALECTS)


def _dialect_of(dialect, options):
    if isinstance(dialect, str):
        if dialect not in _DIALECTS:
            raise Error("unknown dialect")
        dialect = _DIALECTS[dialect]
    made = Dialect()
    for name in ("delimiter", "quotechar", "escapechar", "doublequote", "skipinitialspace",
                 "lineterminator", "quoting", "strict"):
        setattr(made, name, options.get(name, getattr(dialect, name)))
    if not isinstance(made.delimiter, str) or len(made.delimiter) != 1:
        raise TypeError('"delimiter" must be a 1-character string')
    return made


class reader:
    def __init__(self, csvfile, dialect="excel", **options):
        self._lines = iter(csvfile)
        self.dialect = _dialect_of(dialect, options)
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        self._fields, self._field, self._state = [], [], "start"
        self._is_number = False
        while True:
            try:
                line = next(self._lines)
            except StopIteration:
                if self._state != "quoted" and not self._fields and not self._field:
                    raise
                break
            if not isinstance(line, str):
                raise Error("iterator should return strings, not "
                            f"{type(line).__name__} (the file should be opened in text mode)")
            self.line_num += 1
            self._read(line)
            if self._state != "quoted":
                break
        if self._state != "empty":
            self._end_field()
        return self._fields

    def _end_field(self):
        text = "".join(self._field)
        self._fields.append(float(text) if self._is_number and text else text)
        self._field, self._is_number = [], False

    def _read(self, line):
        form = self.dialect
        if self._state == "start" and line in ("", "\n", "\r\n"):
            self._state = "empty"
            return
        at = 0
        while at < len(line):
            letter = line[at]
            at += 1
            if self._state == "quoted":
                if letter == form.escapechar and at < len(line):
                    self._field.append(line[at])
                    at += 1
                elif letter == form.quotechar:
                    if form.doublequote and at < len(line) and line[at] == form.quotechar:
                        self._field.append(letter)
                        at += 1
                    else:
                        self._state = "field"
                else:
                    self._field.append(letter)
            elif letter in "\r\n":
                break
            elif letter == form.delimiter:
                self._end_field()
                self._state = "start"
            elif letter == form.escapechar and at < len(line):
                self._field.append(line[at])
                self._state = "field"
                at += 1
            elif self._state == "start" and letter == form.quotechar and form.quoting != QUOTE_NONE:
                self._state = "quoted"
            elif self._state == "start" and letter == " " and form.skipinitialspace:
                pass
            else:
                if self._state == "start":
                    self._is_number = form.quoting == QUOTE_NONNUMERIC
                self._field.append(letter)
                self._state = "field"


class writer:
    def __init__(self, csvfile, dialect="excel", **options):
        self._file = csvfile
        self.dialect = _dialect_of(dialect, options)

    def writerow(self, row):
        form = self.dialect
        fields = [self._quoted(field) for field in row]
        if fields == [""]:
            fields = [form.quotechar * 2]
        return self._file.write(form.delimiter.join(fields) + form.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)

    def _quoted(self, field):
        form = self.dialect
        text = "" if field is None else str(field)
        special = any(letter in text for letter in (form.delimiter, form.quotechar, "\n", "\r"))
        if form.quoting == QUOTE_NONE:
            if special and form.escapechar is None:
                raise Error("need to escape, but no escapechar set")
            return text
        is_number = isinstance(field, (int, float))
        if (special or form.quoting == QUOTE_ALL
                or form.quoting == QUOTE_NONNUMERIC and not is_number):
            return form.quotechar + text.replace(form.quotechar, form.quotechar * 2) + form.quotechar
        return text


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", **options):
        self._fieldnames, self.restkey, self.restval = fieldnames, restkey, restval
        self.reader = reader(f, dialect, **options)

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
        return self._fieldnames

    @property
    def line_num(self):
        return self.reader.line_num

    def __iter__(self):
        return self

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while not row:
            row = next(self.reader)
        made = dict(zip(names, row))
        if len(row) > len(names):
            made[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            made[name] = self.restval
        return made


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", **options):
        self.fieldnames, self.restval, self.extrasaction = fieldnames, restval, extrasaction
        self.writer = writer(f, dialect, **options)

    def writeheader(self):
        return self.writer.writerow(self.fieldnames)

    def _row(self, rowdict):
        if self.extrasaction == "raise":
            extra = [key for key in rowdict if key not in self.fieldnames]
            if extra:
                raise ValueError("dict contains fields not in fieldnames: "
                                 + ", ".join(repr(key) for key in extra))
        return [rowdict.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        for rowdict in rowdicts:
            self.writerow(rowdict)
