"""Bench and groups of commands: speeds that can be, and the help of a group."""

import json
import time
import unittest

from binary import BinaryTest, espalier


class Bench(BinaryTest):
    def test_every_batch_has_a_speed_that_fits_in_the_time_it_took(self):
        batches = [1, 8, 200]  # the last is more than run at once
        start = time.monotonic()
        done = espalier("bench", "engine", "--model", "tiny", "--json", "--prompt", "8",
                        "--output", "4", "--batch", ",".join(map(str, batches)))
        wall_s = time.monotonic() - start
        rows = json.loads(self.assert_done(done))["decode"]
        self.assertEqual([row["batch"] for row in rows], batches)
        self.assertTrue(all(row["tokens_per_s"] > 0 for row in rows), rows)
        least_s = sum(4 * row["batch"] / row["tokens_per_s"] for row in rows)
        self.assertLess(least_s, wall_s)

    def test_help_of_a_group_lists_its_commands_only(self):
        for word in ("--help", "-h", "help"):
            text = self.assert_done(espalier("inspect", word)).decode()
            for name in ("chat", "logits", "model", "tokens"):
                self.assertIn(f"inspect {name}", text)
            self.assertNotIn("generate", text)
        self.assert_refused(espalier("inspect", "nothing"), "inspect nothing", "tokens")


if __name__ == "__main__":
    unittest.main()
