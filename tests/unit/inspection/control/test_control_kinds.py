"""Which paths decide how work is judged, over ecosystems. covers: T8.S"""

from __future__ import annotations

import pytest

from autopilot.inspection.control.changes import control_kind
from autopilot.model.evidence.control import ControlKind

TABLE: dict[ControlKind, str] = {
    ControlKind.TEST: """
        tests/test_a.py test_a.py pkg/test_a.py pkg/a_test.py app/tests.py tests/unit/test_b.py tests/testmerge.py
        test.py test.js src/a.test.ts src/a.test.tsx src/a.spec.ts src/a.spec.jsx src/a.test.mjs src/__tests__/a.ts
        src/__tests__/deep.jsx test/offset.js test/a-test.js src/a-test.js src/a_test.ts e2e/login.ts
        cypress/e2e/a.cy.ts
        app/app.e2e-spec.ts test-run.mjs types/index.test-d.ts spec/parserSpec.js packages/x/test/index.mjs
        pkg/a_test.go internal/deep/export_test.go tests/it.rs crates/x/tests/cli.rs src/parser/tests.rs
        src/lib_test.rs
        src/test/java/a/FooTest.java src/test/java/a/FooTests.java src/test/java/a/FooIT.java
        src/test/java/a/TestFoo.java
        src/test/kotlin/a/FooTest.kt app/src/androidTest/java/a/UiTest.kt src/test/groovy/a/FooSpec.groovy
        FooTest.java
        spec/models/user_spec.rb test/models/user_test.rb test/test_user.rb tests/Unit/UserTest.php
        tests/acceptance/ACest.php
        tests/run.phpt test/foo_test.exs test/foo_test.dart Tests/AppTests/AppTests.swift App.Tests/CartTests.cs
        tests/math_test.cc src/math_unittest.cc tests/test_math.c features/login.feature t/basic.t test/a.bats
        tests/testthat/test-a.R test/test-a.sh test/a-test.bash test/runtests.jl spec/a_spec.lua
    """,
    ControlKind.FIXTURE: """
        tests/helpers.py tests/factories.py tests/data/a.json tests/fixtures/a.json tests/fixtures/app/package.json
        tests/fixtures/app/pytest.ini tests/fixtures/app/src/main.py pkg/testdata/in.txt pkg/testdata/sub/a.go
        app/fixtures/initial.json fixtures/users.yml src/__fixtures__/a.ts spec/fixtures/a.json
        cypress/fixtures/a.json
        tests/common/mod.rs src/test/resources/a.yml src/test/java/a/Helper.java src/testFixtures/java/a/B.java
        src/test-utils.tsx src/testHelpers.ts tests/prompts/deep/golden.md test_data/a.csv test-data/a.csv
        test/helpers.js test/deep/dir/data.js tests/cassettes/a.yaml
    """,
    ControlKind.SNAPSHOT: """
        src/__snapshots__/a.test.ts.snap tests/__snapshots__/test_a.ambr src/snapshots/x__a.snap
        e2e/a.spec.ts-snapshots/a.png
        tests/Approvals.Foo.approved.txt tests/Foo.verified.json cmd/testdata/a.golden tests/__image_snapshots__/a.png
    """,
    ControlKind.SUPPORT: """
        conftest.py tests/conftest.py pkg/deep/conftest.py tests/fixtures/conftest.py tests/__init__.py
        sitecustomize.py src/usercustomize.py lib/evil.pth vendor/x/evil.pth __mocks__/fs.js src/__mocks__/api.ts
        jest.setup.js vitest.setup.ts src/setupTests.ts test/setup.ts test-setup.ts src/test.ts test/globalSetup.ts
        cypress/support/e2e.ts spec/spec_helper.rb spec/rails_helper.rb test/test_helper.rb spec/support/auth.rb
        features/support/env.rb tests/bootstrap.php tests/Pest.php test/test_helper.exs test/support/case.ex
    """,
    ControlKind.RUNNER: """
        pytest.ini .pytest.ini pytest.toml tox.ini noxfile.py .coveragerc app/pytest.ini jest.config.js jest.config.ts
        jest.unit.config.js vitest.config.ts vitest.workspace.ts .mocharc.yml test/mocha.opts karma.conf.js
        ava.config.mjs
        playwright.config.ts cypress.config.ts .nycrc .babelrc babel.config.js .npmrc .yarnrc.yml turbo.json
        .rspec Rakefile phpunit.xml phpunit.xml.dist codeception.yml .cargo/config.toml .config/nextest.toml
        rust-toolchain.toml gradlew mvnw .mvn/extensions.xml gradle/wrapper/gradle-wrapper.properties go.work .nvmrc
        src/test/resources/junit-platform.properties Taskfile.yml .python-version .env.test
        node_modules/jest/build/index.js node_modules/.bin/jest node_modules/@jest/core/index.js
        .venv/lib/python3.11/site-packages/pytest/__init__.py vendor/bin/phpunit vendor/phpunit/phpunit/src/A.php
        vendor/github.com/stretchr/testify/assert/assert.go .yarn/releases/yarn-4.cjs
        src/test/resources/META-INF/services/org.junit.platform.launcher.TestExecutionListener
    """,
    ControlKind.LINT: """
        .eslintrc .eslintrc.json eslint.config.mjs .eslintignore .prettierrc biome.json .stylelintrc.json ruff.toml
        .ruff.toml .flake8 .pylintrc .golangci.yml clippy.toml rustfmt.toml .rubocop.yml .rubocop_todo.yml
        checkstyle.xml
        phpcs.xml .php-cs-fixer.dist.php .pre-commit-config.yaml .husky/pre-commit .editorconfig .clang-tidy
    """,
    ControlKind.TYPES: """
        tsconfig.json tsconfig.build.json packages/a/tsconfig.json jsconfig.json mypy.ini pyrightconfig.json
        phpstan.neon
        phpstan-baseline.neon psalm.xml .flowconfig
    """,
    ControlKind.CI: """
        .github/workflows/ci.yml .github/actions/setup/action.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile
        azure-pipelines.yml .travis.yml bitbucket-pipelines.yml .buildkite/pipeline.yml codecov.yml
    """,
    ControlKind.LOCK: """
        package-lock.json yarn.lock pnpm-lock.yaml bun.lockb web/package-lock.json uv.lock poetry.lock
        Pipfile.lock Cargo.lock
        go.sum composer.lock Gemfile.lock gradle.lockfile mix.lock vendor/modules.txt node_modules/left-pad/index.js
    """,
    ControlKind.SCRIPT: """
        scripts/test.sh scripts/lint.sh check.sh run_tests.sh run-tests.py test.sh bin/test script/test
        tools/run_tests.py
        scripts/check.mjs ci.sh scripts/verify.sh tools/ci.py
    """,
    ControlKind.BYTECODE: "__pycache__/a.cpython-311.pyc tests/__pycache__/test_a.cpython-311.pyc a.pyc lib/A.class",
}
PRODUCT = """
    latest.py contest.py attest.go fastest.ts src/testing_utils.py src/pkg/testing.py src/testament.py protest.rs
    src/spec.ts src/spec/parser.ts spec/openapi.yaml specs/design.md src/inspect.ts src/get-dep-spec.js openapi-spec.ts
    src/commands/test.ts src/commands/test.py lib/test.rb cmd/test.go src/latest.test-results.ts
    Contest.java src/main/java/a/SpeedTest.java src/main/java/a/TestController.java src/main/resources/a.yml AUDIT.java
    src/fixtures/lamp.py src/fixtures/index.ts src/features/login/a.ts src/features/support/chat.ts src/ab-test/x.ts
    src/snapshots/list.py db-snapshots/a.sql email.verified.ts src/golden/ratio.py
    docs/test.md tests/README.md tests/notes.md test/.gitkeep README.md docs/tests.rst src/checker.py check.py lint.py
    verify.py src/check.sh.py lib/ci.py build.py scripts/build.py scripts/deploy.sh bin/app run.sh install.sh
    package.json pyproject.toml setup.cfg Makefile Cargo.toml composer.json go.mod pom.xml build.gradle vite.config.ts
    src/lib.rs src/main.rs benches/speed.rs build.rs examples/demo.py manage.py setup.py requirements.txt Dockerfile
    .gitignore .env .github/ISSUE_TEMPLATE/bug.md .github/CODEOWNERS config/settings.yml src/config.ts app/jest/page.tsx
    vendor/foo/tests/test_x.py third_party/a/conftest_notes.py vendor/foo/foo.go third_party/lib/test/a.js
    src/locks.py lockfile.py src/lock.json tsconfig.py src/mock.py src/mocks/api.ts public/mocks.json types/index.d.ts
    .planning/phases/01/tests/task-01.sh Pipfile Gemfile src/unit.ts src/units/meter.py
"""


@pytest.mark.parametrize("kind", TABLE)
def test_a_control_file_is_known_by_its_path(kind: ControlKind) -> None:
    paths = TABLE[kind].split()
    assert {path: control_kind(path) for path in paths} == dict.fromkeys(paths, kind)
    assert {path: control_kind(f"./{path}") for path in paths} == dict.fromkeys(paths, kind)


def test_the_product_and_mixed_files_are_none_by_their_path() -> None:
    assert {path: kind for path in PRODUCT.split() if (kind := control_kind(path)) is not None} == {}


def test_every_kind_has_its_rows() -> None:
    """But for helpers, which are known by who imports them."""
    assert set(TABLE) == set(ControlKind) - {ControlKind.HELPER}


@pytest.mark.parametrize("path", ["", ".", "/", "tests/"])
def test_odd_paths_are_read(path: str) -> None:
    assert control_kind(path) is None
