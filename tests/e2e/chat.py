"""`chat` through pipes and through a terminal."""

import os
import pty
import select
import subprocess
import termios
import time
import unittest

from binary import BINARY, BinaryTest, environment, espalier

CHAT = ("chat", "--model", "tiny", "--max-tokens", "8")


class Terminal:
    """The binary on a pseudo terminal."""

    def __init__(self, *arguments):
        self.master, self.slave = pty.openpty()
        self.process = subprocess.Popen([BINARY, *arguments], stdin=self.slave,
                                        stdout=self.slave, stderr=self.slave,
                                        env=environment(), start_new_session=True)
        self.seen = b""

    def read_until(self, text, timeout_s=60, most=None):
        """Reads up to `text`; fails where more than `most` bytes come before it."""
        deadline = time.monotonic() + timeout_s
        while text not in self.seen:
            if most is not None and len(self.seen) > most:
                raise AssertionError(f"{len(self.seen)} bytes and no {text!r}")
            if not select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"no {text!r} in {self.seen!r}")
            self.seen += os.read(self.master, 4096)
        self.seen = self.seen[self.seen.index(text) + len(text):]

    def read_some(self):
        if not self.seen:
            self.seen = os.read(self.master, 1)

    def type(self, keys):
        os.write(self.master, keys)

    def paste(self, keys):
        """Types them as fast as they are taken, and reads meanwhile."""
        while keys:
            readable, writable, _ = select.select([self.master], [self.master], [], 60)
            if readable:
                self.seen += os.read(self.master, 65536)
            if writable:
                keys = keys[os.write(self.master, keys[:1024]):]

    def echoes(self):
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def close(self):
        os.close(self.slave)
        os.close(self.master)

    def wait(self):
        os.close(self.slave)
        try:
            while os.read(self.master, 4096):
                pass
        except OSError:
            pass  # the other side is closed
        os.close(self.master)
        return self.process.wait(timeout=60)


class Pipes(BinaryTest):
    def test_each_line_is_answered(self):
        done = espalier(*CHAT, "--ignore-eos", stdin="Hello\n\nAnd now?\n")
        self.assert_done(done)
        self.assertIn("2 requests", done.stderr.decode())

    def test_commands_go_to_stderr_and_ask_no_model(self):
        done = espalier(*CHAT, stdin="/help\n/reset\n/system Be brief.\n")
        self.assertEqual(self.assert_done(done), b"")
        self.assertIn("/system TEXT", done.stderr.decode())

    def test_the_names_that_users_know_leave_and_forget(self):
        for name in ("/exit", "/quit", "/bye"):
            done = espalier(*CHAT, stdin=f"/clear\n/?\n{name}\nHello\n")
            self.assertEqual(self.assert_done(done), b"")
        done = espalier(*CHAT, stdin="/rest\n/systems\n/regen\n")
        self.assert_done(done)
        self.assertIn("did you mean '/reset'?", done.stderr.decode())
        self.assertIn("unknown command /systems", done.stderr.decode())
        self.assertIn("no answer yet", done.stderr.decode())

    def test_regen_answers_the_last_message_again(self):
        once = espalier(*CHAT, "--ignore-eos", stdin="Hello\n")
        twice = espalier(*CHAT, "--ignore-eos", stdin="Hello\n/regen\n")
        self.assertTrue(self.assert_done(twice).startswith(self.assert_done(once)))
        self.assertIn("2 requests", twice.stderr.decode())

    def test_a_message_in_quotes_has_several_lines(self):
        quoted = espalier(*CHAT, "--ignore-eos", stdin='"""one\n/reset\ntwo"""\n')
        self.assert_done(quoted)
        self.assertIn("1 request ", quoted.stderr.decode())
        self.assertEqual(espalier(*CHAT, stdin='"""never ended\n').returncode, 0)

    def test_the_second_turn_finds_the_first_in_the_cache(self):
        done = espalier(*CHAT, "--ignore-eos", stdin="A first message, long enough.\nMore\n")
        share = float(done.stderr.decode().split(" % from the cache")[0].split("(")[-1])
        self.assertGreater(share, 30)

    def test_an_answer_ends_where_the_kv_cache_does(self):
        small = ("chat", "--model", "tiny", "--ignore-eos", "--kv-cache-tokens", "200")
        self.assertTrue(self.assert_done(espalier(*small, stdin="Hello\n")))
        self.assertTrue(self.assert_done(espalier(*small, "--max-tokens", "500", stdin="Hello\n")))
        full = espalier(*small, stdin="x" * 300 + "\n")
        self.assertEqual(full.returncode, 1)
        self.assertIn("fills the KV cache (--kv-cache-tokens) of 200", full.stderr.decode())

    def test_what_cannot_be_answered_is_said_and_taken_back(self):
        done = espalier(*CHAT, stdin="x" * 9000 + "\nHello\n/nothing\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("context", done.stderr.decode())
        self.assertIn("/nothing", done.stderr.decode())
        self.assertTrue(done.stdout)


class OnATerminal(BinaryTest):
    def test_editing_history_and_leaving(self):
        terminal = Terminal(*CHAT)
        terminal.read_until(b"> ")
        terminal.type(b"/hexlp\x1b[D\x1b[D\x7f\r")
        terminal.read_until(b"/reset")
        terminal.read_until(b"> ")
        terminal.type(b"\x1b[A")
        terminal.read_until(b"/help")
        terminal.type(b"\r")
        terminal.read_until(b"/reset")
        terminal.type(b"\x04")
        self.assertEqual(terminal.wait(), 0)

    def test_interrupt_stops_the_answer_and_not_the_program(self):
        terminal = Terminal("chat", "--model", "tiny", "--ignore-eos", "--max-tokens", "8000")
        terminal.read_until(b"> ")
        terminal.type(b"Hello\r")
        terminal.read_until(b"\n")
        terminal.read_some()  # the answer is under way
        terminal.process.send_signal(2)
        terminal.read_until(b"> ")
        terminal.type(b"/help\r")
        terminal.read_until(b"/reset")
        terminal.type(b"\x04")
        self.assertEqual(terminal.wait(), 0)

    def test_pasting_costs_what_is_pasted(self):
        terminal = Terminal(*CHAT)
        terminal.read_until(b"> ")
        terminal.paste(b"x" * 19999 + b"y")
        terminal.read_until(b"y\r", most=60_000)
        terminal.type(b"\x15\x04")
        self.assertEqual(terminal.wait(), 0)

    def test_an_incomplete_character_takes_no_other_key_with_it(self):
        terminal = Terminal(*CHAT)
        terminal.read_until(b"> ")
        terminal.type(b"/help\xc3\r")
        terminal.read_until(b"/reset")
        terminal.type(b"\x04")
        self.assertEqual(terminal.wait(), 0)

    def test_help_says_what_no_limit_means(self):
        done = espalier("chat", "--help")
        self.assertIn(b"0: as many as the context has room for", self.assert_done(done))

    def test_the_terminal_is_given_back_however_it_ends(self):
        for signal, status in ((15, -15), (1, -1), (2, None)):
            terminal = Terminal(*CHAT)
            terminal.read_until(b"> ")
            self.assertFalse(terminal.echoes())
            terminal.process.send_signal(signal)
            if status is None:  # no line is lost by it
                terminal.type(b"/help\r")
                terminal.read_until(b"/reset")
                terminal.type(b"\x04")
            self.assertEqual(terminal.process.wait(timeout=60), status or 0)
            self.assertTrue(terminal.echoes())
            terminal.close()

    def test_interrupt_right_behind_a_message_leaves_the_program(self):
        terminal = Terminal("chat", "--model", "tiny", "--ignore-eos", "--max-tokens", "8000")
        terminal.read_until(b"> ")
        terminal.paste(b"x" * 5000)
        terminal.type(b"\r")
        terminal.read_until(b"\n")
        terminal.process.send_signal(2)
        terminal.read_until(b"> ")
        terminal.type(b"/help\r")
        terminal.read_until(b"/reset")
        terminal.type(b"\x04")
        self.assertEqual(terminal.wait(), 0)

    def test_interrupt_while_typing_drops_the_line(self):
        terminal = Terminal(*CHAT)
        terminal.read_until(b"> ")
        terminal.type(b"half a line\x03")
        terminal.read_until(b"> ")
        terminal.type(b"\x04")
        self.assertEqual(terminal.wait(), 0)


if __name__ == "__main__":
    unittest.main()
