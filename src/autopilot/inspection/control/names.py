"""The names under which tools look for their settings, setup code and locks, by ecosystem."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import cached_property

from autopilot.model.evidence.control import ControlKind
from autopilot.text.lazy_regex import lazy_regex

_WILD = frozenset("*?[")


def split_names(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Names:
    """Names of files and patterns of them. Most are plain: as one pattern, they took the longest to compile."""

    def __init__(self, text: str) -> None:
        names = text.split()
        self._plain = frozenset(name for name in names if not _WILD & set(name))
        self._patterns = [name for name in names if _WILD & set(name)]

    def __contains__(self, name: str) -> bool:
        return name in self._plain or self.wild.fullmatch(name) is not None

    @cached_property
    def wild(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, self._patterns)))


_SUPPORT = """
conftest.py sitecustomize.py usercustomize.py *.pth setup_suite.bash
spec_helper.rb rails_helper.rb test_helper.rb minitest_helper.rb test_helper.exs
setupTests.* setup-tests.* setup_tests.* setupFiles.* setupFilesAfterEnv.*
jest.setup.* jest-setup.* jest.polyfills.* jest.globals.* vitest.setup.* vitest-setup.* mocha.setup.*
test-setup.[jt]s test-setup.[jt]sx test-setup.mjs test.setup.[jt]s tests.setup.[jt]s
globalSetup.[jt]s globalTeardown.[jt]s global-setup.[jt]s global-teardown.[jt]s global.setup.[jt]s
*.test-environment.[jt]s jest-environment-*.[jt]s
"""
_RUNNER = """
pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini tox.toml noxfile.py .coveragerc nose.cfg unittest.cfg
.testmondata testr.conf .stestr.conf .proverc
jest.config.* jest.*.config.* jest-*.config.* jest.preset.* vitest.config.* vitest.*.config.* vitest.workspace.*
vitest.projects.* .mocharc .mocharc.* mocha.opts karma.conf.* karma.*.conf.* ava.config.* .taprc .tap.*
playwright.config.* playwright-ct.config.* cypress.config.* cypress.json wdio.conf.* nightwatch.conf.*
protractor.conf.* .nycrc .nycrc.* nyc.config.* .c8rc .c8rc.* babel.config.* .babelrc .babelrc.* .swcrc
.npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs turbo.json nx.json wireit.json testem.js testem.json
.rspec .rspec-local .rspec_parallel Guardfile Rakefile rakefile .simplecov cucumber.yml
phpunit.xml phpunit.xml.dist phpunit.*.xml phpunit.dist.xml codeception.yml codeception.dist.yml behat.yml
behat.yml.dist infection.json infection.json5 infection.json.dist
nextest.toml tarpaulin.toml .tarpaulin.toml rust-toolchain rust-toolchain.toml
junit-platform.properties mvnw mvnw.cmd gradlew gradlew.bat gradle-wrapper.properties gradle-wrapper.jar
Taskfile.yml Taskfile.yaml Taskfile.dist.yml CTestConfig.cmake CTestCustom.cmake CTestTestfile.cmake
go.work .python-version .nvmrc .node-version .ruby-version .tool-versions .mise.toml mise.toml
.env.test .env.testing .env.test.* dart_test.yaml *.runsettings *.xctestplan coverlet.runsettings
"""
_LINT = """
.eslintrc .eslintrc.* eslint.config.* .eslintignore .prettierrc .prettierrc.* prettier.config.* .prettierignore
biome.json biome.jsonc rome.json .stylelintrc .stylelintrc.* stylelint.config.* .stylelintignore .oxlintrc.json
tslint.json .jshintrc .jscsrc .xo-config.* .lintstagedrc .lintstagedrc.* lint-staged.config.* commitlint.config.*
.commitlintrc .commitlintrc.* .dependency-cruiser.* .jscpd.json knip.json knip.ts
ruff.toml .ruff.toml .flake8 .pylintrc pylintrc .pylintrc.toml .bandit bandit.yaml .isort.cfg .style.yapf
.pycodestyle .pydocstyle .pydocstyle.ini .importlinter .vulture.toml
.golangci.yml .golangci.yaml .golangci.toml .golangci.json .revive.toml revive.toml staticcheck.conf
clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml deny.toml
.rubocop.yml .rubocop_todo.yml .rubocop-*.yml .standard.yml .erb-lint.yml .reek.yml brakeman.ignore
checkstyle.xml checkstyle-*.xml pmd.xml pmd-ruleset.xml spotbugs-*.xml detekt.yml .editorconfig
.php-cs-fixer.php .php-cs-fixer.dist.php .php_cs .php_cs.dist phpcs.xml phpcs.xml.dist .phpcs.xml phpmd.xml pint.json
.pre-commit-config.yaml .pre-commit-config.yml lefthook.yml .lefthook.yml .markdownlint.* .markdownlintrc
.yamllint .yamllint.* .shellcheckrc .hadolint.yaml .hadolint.yml .sqlfluff .luacheckrc .clang-tidy .clang-format
.swiftlint.yml .credo.exs .formatter.exs analysis_options.yaml .semgrepignore .semgrep.yml .gitleaks.toml
"""
_TYPES = """
tsconfig.json tsconfig.*.json tsconfig-*.json jsconfig.json mypy.ini .mypy.ini pyrightconfig.json pytype.cfg
.pyre_configuration pyrefly.toml ty.toml .flowconfig phpstan.neon phpstan.neon.dist phpstan.dist.neon
phpstan-baseline.neon phpstan-baseline.php psalm.xml psalm.xml.dist psalm-baseline.xml Steepfile
"""
_CI = """
.gitlab-ci.yml .gitlab-ci.yaml .travis.yml appveyor.yml .appveyor.yml azure-pipelines.yml azure-pipelines*.yml
bitbucket-pipelines.yml Jenkinsfile Jenkinsfile.* .drone.yml .woodpecker.yml .cirrus.yml cloudbuild.yaml cloudbuild.yml
buildspec.yml codecov.yml .codecov.yml codecov.yaml .coveralls.yml sonar-project.properties Earthfile .codeclimate.yml
"""
_LOCK = """
package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
uv.lock poetry.lock pdm.lock Pipfile.lock pylock.toml pylock.*.toml conda-lock.yml constraints.txt constraints-*.txt
Cargo.lock go.sum go.work.sum composer.lock symfony.lock Gemfile.lock gems.locked gradle.lockfile
buildscript-gradle.lockfile verification-metadata.xml mix.lock pubspec.lock Podfile.lock Package.resolved
packages.lock.json flake.lock cabal.project.freeze stack.yaml.lock rebar.lock conan.lock
"""
# In the order they are asked: a lock that is also a setting is a lock.
NAMED: tuple[tuple[ControlKind, Names], ...] = (
    (ControlKind.LOCK, Names(_LOCK)),
    (ControlKind.SUPPORT, Names(_SUPPORT)),
    (ControlKind.RUNNER, Names(_RUNNER)),
    (ControlKind.LINT, Names(_LINT)),
    (ControlKind.TYPES, Names(_TYPES)),
    (ControlKind.CI, Names(_CI)),
)
# Folders whose every file is of one kind, from the root of the project or of a package in it.
PLACED: tuple[tuple[ControlKind, re.Pattern[str]], ...] = (
    (
        ControlKind.CI,
        lazy_regex(r"\.(?:github|gitea|forgejo)/(?:workflows|actions)/.+|\.github/dependabot\.ya?ml", re.DOTALL),
    ),
    (ControlKind.CI, lazy_regex(r"\.(?:circleci|buildkite|woodpecker|teamcity|gitlab/ci|ci)/.+", re.DOTALL)),
    (ControlKind.LINT, lazy_regex(r"(?:.+/)?(?:\.husky|\.githooks|\.config/(?:eslint|ruff))/.+", re.DOTALL)),
    (
        ControlKind.RUNNER,
        lazy_regex(r"(?:.+/)?(?:\.cargo/config(?:\.toml)?|\.config/nextest\.toml|\.mvn/.+)", re.DOTALL),
    ),
    (ControlKind.RUNNER, lazy_regex(r"(?:.+/)?\.yarn/(?:releases|plugins|sdks)/.+", re.DOTALL)),
    (ControlKind.RUNNER, lazy_regex(r"(?:.+/)?META-INF/services/org\.(?:junit|testng|spockframework)\..+", re.DOTALL)),
    (ControlKind.SUPPORT, lazy_regex(r"(?:.+/)?__mocks__/.+|(?:.+/)?cypress/support/.+|src/test\.ts", re.DOTALL)),
    (
        ControlKind.SUPPORT,
        lazy_regex(r"(?:(?:.+/)?(?:spec|test)|features)/support/.+\.(?:rb|exs?|[cm]?[jt]s)", re.DOTALL),
    ),
    (
        ControlKind.SNAPSHOT,
        lazy_regex(r"(?:.+/)?__(?:image_)?snapshots__/.+|.+\.[jt]sx?-snapshots/.+|.+\.(?:snap|ambr)", re.DOTALL),
    ),
    (
        ControlKind.SNAPSHOT,
        lazy_regex(r".+\.golden|.+\.(?:approved|verified|golden)\.(?:txt|json|xml|html|md|csv|png)", re.DOTALL),
    ),
    (ControlKind.LOCK, lazy_regex(r"(?:.+/)?vendor/modules\.txt", re.DOTALL)),
)
# What Python loads to run tests: a module of that name in the project comes first on its path.
PYTHON_TOOLS = split_names(
    """
    pytest _pytest pluggy iniconfig unittest nose nose2 hypothesis coverage pytest_cov pytest_mock pytest_asyncio xdist
    tox nox mypy ruff flake8 pylint pyright
    """
)
# Who runs, checks or holds up tests: such a package brought along in the repository would take the tool's place.
TOOLS = PYTHON_TOOLS | split_names(
    """
    black isort mock
    jest jest-cli jest-circus jest-runtime @jest vitest @vitest mocha chai ava tap tape jasmine jasmine-core karma
    expect sinon supertest @testing-library playwright @playwright cypress c8 nyc ts-jest ts-node tsx eslint @eslint
    prettier typescript @typescript-eslint biome @biomejs testem qunit uvu node-tap
    phpunit pestphp phpstan vimeo squizlabs mockery behat codeception rspec rspec-core minitest rubocop rake testify
    """
)
