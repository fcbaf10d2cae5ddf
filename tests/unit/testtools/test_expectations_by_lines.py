"""Tests in Ruby, PHP and Perl that expect something else, changed where a line alone tells what it expects. T8.A"""

from __future__ import annotations

import pytest

from autopilot.testtools.expectations.expectation import change_expectations

SPEC = """RSpec.describe "slug" do
  it "joins words" do
    word = "A b"
    expect(slug(word)).to eq("a-b")
  end

  it "knows nothing" do
    expect(slug(nil)).to be_nil
  end

  it "may be asked" do
    if ENV["DEEP"]
      expect(slug("x")).to eq("x")
    end
  end

  it "is left" do
    skip "later"
    expect(slug("x")).to eq("x")
  end
end
"""
MINI = """class SlugTest < Minitest::Test
  def test_words_are_joined
    assert_equal "a-b", slug("A b")
    assert_equal 3, slug("A b").size if deep?
  end

  def test_nothing
    assert_nil slug(nil)
  end
end
"""
PHP = """<?php
final class SlugTest extends TestCase
{
    public function testJoins(): void
    {
        $slug = new Slug();
        $this->assertSame('a-b', $slug->of('A b'));
    }

    public function testKnows(): void {
        self::assertTrue(known('a'));
    }

    public function testAll(): void
    {
        foreach (rows() as $row) {
            $this->assertSame(3, $row);
        }
    }
}
"""
PERL = """use Test::More;
is(slug('A b'), 'a-b', 'joins words');
is(length(slug('A')), 1, "has a length");
like(slug('A'), qr/a/, 'is small');
is(slug('B'), 'b');
done_testing();
"""


def changed(path: str, text: str) -> tuple[str, tuple[str, ...]]:
    found = change_expectations(path, text.encode(), 0, "seed")
    assert found is not None
    return found.text.decode(), found.tests


@pytest.mark.parametrize(
    ("path", "text", "tests", "gone", "kept"),
    [
        (
            "spec/slug_spec.rb",
            SPEC,
            ("joins words", "knows nothing"),
            ('eq("a-b")', ".to be_nil"),
            ('expect(slug("x")).to eq("x")', ".not_to be_nil"),
        ),
        (
            "test/slug_test.rb",
            MINI,
            ("test_words_are_joined", "test_nothing"),
            ('assert_equal "a-b"', "assert_nil"),
            ("assert_equal 3, slug", "refute_nil slug(nil)"),
        ),
        (
            "tests/SlugTest.php",
            PHP,
            ("testJoins", "testKnows"),
            ("assertSame('a-b'", "assertTrue"),
            ("assertSame(3, $row)", "self::assertFalse(known('a'))"),
        ),
        (
            "t/slug.t",
            PERL,
            ("joins words", "has a length", "is small"),
            ("'a-b', 'joins words'", ", 1, ", "\nlike("),
            ("is(slug('B'), 'b');", "unlike(slug('A'), qr/a/, 'is small')"),
        ),
    ],
)
def test_each_test_expects_something_else_where_every_run_comes_by(
    path: str, text: str, tests: tuple[str, ...], gone: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    after, names = changed(path, text)
    assert names == tests
    assert not [part for part in gone if part in after]
    assert not [part for part in kept if part not in after]
    assert len(after.splitlines()) == len(text.splitlines())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("spec/slug_spec.rb", SPEC.replace("word =", "word = <<~TEXT\n")),
        ("tests/SlugTest.php", PHP.replace("<?php", "<?php\n/* as it was\n")),
        ("spec/slug_spec.rb", 'it "joins" do\n  expect(slug(\n    "a")).to eq("b")\nend\n'),
        ("spec/slug_spec.rb", 'it "joins" do\n  run { |x|\n    expect(x).to eq("b")\n  }\nend\n'),
        ("spec/slug_spec.rb", 'it "joins" do\n  expect { slug }.to raise_error(KeyError)\nend\n'),
        ("spec/slug_spec.rb", 'it "is one line" do\n  expect(x).to eq("ü")\nend\n'),
    ],
    ids=[
        "text of several lines",
        "comment of several lines",
        "statement of several lines",
        "block",
        "error",
        "letters",
    ],
)
def test_what_a_line_alone_does_not_tell_is_left_alone(path: str, text: str) -> None:
    assert change_expectations(path, text.encode(), 0, "seed") is None
