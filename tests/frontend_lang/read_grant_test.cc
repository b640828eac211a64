// What --allow-read grants: the files of one folder, whatever way leads there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/frontend_lang/script_run.h"
#include "tests/support/scratch_folder.h"

namespace espalier::script {
namespace {

namespace fs = std::filesystem;

class ReadGrantTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root_ / "granted" / "sub");
    Write("secret.txt", "secret");
    Write("granted/a.txt",
          "one\r\ntwo\nthr\xC3\xA9"
          "e");
    Write("granted/b.md", "# b");
    Write("granted/sub/c.txt", "c");
    fs::create_symlink(root_ / "secret.txt", root_ / "granted" / "out.txt");
    fs::create_directory_symlink(root_, root_ / "granted" / "up");
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(root_ / name, std::ios::binary) << text;
  }

  ScriptRun Run(const std::string& program) {
    MachineOptions options;
    options.read_folder = (root_ / "granted").string();
    return RunScript("D = " + ("'" + (root_ / "granted").string() + "'") + "\n" + program,
                     std::move(options));
  }

  const test::ScratchFolder scratch_;
  const fs::path root_ = scratch_.path();
};

TEST_F(ReadGrantTest, AFileIsReadAsText) {
  const ScriptRun run =
      Run("with open(D + '/a.txt', encoding='utf-8') as f:\n"
          "    print(repr(f.readline()), [line for line in f], f.read() == '')\n"
          "print(f.closed, repr(open(D + '/a.txt').read()), open(D + '/sub/../b.md').readlines())\n"
          "print(open(D + '/a.txt').read(2))\n");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.output,
            "'one\\n' ['two\\n', 'thr\xC3\xA9"
            "e'] True\n"
            "True 'one\\ntwo\\nthr\xC3\xA9"
            "e' ['# b']\non\n");
}

TEST_F(ReadGrantTest, FoldersAreListedInOrder) {
  const ScriptRun run =
      Run("import os, glob\n"
          "print(os.listdir(D), os.path.isdir(D + '/sub'), os.path.exists(D + '/none'))\n"
          "print([os.path.basename(p) for p in glob.glob(os.path.join(D, '*.md'))])\n"
          "print([p[len(D):] for p in glob.glob(D + '/sub/**', recursive=True)])\n");
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.output,
            "['a.txt', 'b.md', 'out.txt', 'sub', 'up'] True False\n['b.md']\n['/sub/c.txt']\n");
}

TEST_F(ReadGrantTest, NoWayLeadsOutOfTheFolder) {
  for (const std::string path :
       {"D + '/../secret.txt'", "D + '/out.txt'", "D + '/up/secret.txt'", "'/etc/passwd'",
        "D + '/none/../../secret.txt'", "D + 'x'", "'secret.txt'"}) {
    const ScriptRun run = Run("open(" + path + ")");
    EXPECT_NE(run.error.find("PermissionError: [Errno 13] Permission denied"), std::string::npos)
        << path << "\n"
        << run.error;
  }
  for (const std::string call :
       {"os.listdir(D + '/up')", "glob.glob('/etc/*')", "glob.glob(D + '/up/*')"}) {
    EXPECT_NE(Run("import os, glob\n" + call).error.find("PermissionError"), std::string::npos)
        << call;
  }
  EXPECT_EQ(Run("import os\nprint(os.path.exists('/etc'), os.path.isdir(D + '/up'))").output,
            "False False\n");
}

TEST_F(ReadGrantTest, WhatIsNoReadableTextIsAnError) {
  Write("granted/bytes", "ab\xFF");
  const std::pair<std::string, std::string> cases[] = {
      {"open(D + '/none')", "FileNotFoundError: [Errno 2] No such file or directory: "},
      {"open(D)", "IsADirectoryError: [Errno 21] Is a directory: "},
      {"open(D + '/bytes')", "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff"},
      {"open(D + '/a.txt', 'w')", "programs may not write files"},
      {"open(D + '/a.txt', 'rb')", "the language has no bytes"},
      {"open(D + '/a.txt').write('x')", "OSError: not writable"},
      {"open(5)", "TypeError: expected str, bytes or os.PathLike object, not int"},
  };
  for (const auto& [program, error] : cases) {
    EXPECT_NE(Run(program).error.find(error), std::string::npos) << program << Run(program).error;
  }
}

TEST_F(ReadGrantTest, WithoutAGrantNothingIsRead) {
  for (const std::string program :
       {"open('a')", "import os\nos.listdir('.')", "import glob\nglob.glob('*')"}) {
    EXPECT_NE(RunScript(program).error.find("run with --allow-read DIR"), std::string::npos);
  }
  EXPECT_EQ(RunScript("import os\nprint(os.path.exists('/'), os.path.isfile('a'))").output,
            "False False\n");
  EXPECT_EQ(RunScript("import os\nprint(os.path.join('a', 'b'), os.environ.get('HOME', 'none'),"
                      " os.getenv('PATH'), os.path.splitext('x/y.tar.gz'))")
                .output,
            "a/b none None ('x/y.tar', '.gz')\n");
}

}  // namespace
}  // namespace espalier::script
