"""House rules over the models of the dbt project."""

import re

import pytest
import yaml
from sql_rules import free_choices, literals, partial_orders, without_comments

GRAIN = re.compile(r"-- (?:One row|At most one row)\b.*[.?]$")
MAX_LINES = 80


def problems(models, rule) -> dict[str, list[str]]:
    """Model -> what breaks the rule in it, for the models that break it."""
    found = {name: rule(node.raw_code) for name, node in models.items()}
    return {name: broken for name, broken in found.items() if broken}


def test_only_staging_reads_sources(manifest, models):
    readers = {
        node.original_file_path for node in models.values()
        if any(parent.startswith("source.") for parent in node.depends_on.nodes)
    }
    assert {path for path in readers if not path.startswith("models/staging/")} == set()
    assert len(readers) == len(manifest.sources)


def test_first_line_of_each_model_states_the_grain(models):
    assert [n for n, node in models.items() if not GRAIN.match(node.raw_code.splitlines()[0])] == []


def test_no_number_other_than_0_1_2_stands_in_a_model(models):
    assert problems(models, literals) == {}


@pytest.mark.parametrize(
    "planted",
    ["where rank <= 100", "where score > 0.5", "select 1000000 as far", "where a = 1e6",
     "select {{ explode(int_range('1', '15')) }} as start", "limit 3", "where n between 0 and 20"],
)
def test_a_planted_number_is_found(models, planted):
    for name in ("ranks", "texts", "judgments"):
        assert literals(models[name].raw_code) == []
        assert len(literals(f"{models[name].raw_code}\n{planted}\n")) == 1


def test_numbers_that_decide_nothing_are_allowed():
    sql = "select dense_top5, cast(a as decimal(38, 0)), '100', 1 + 2, a.ngram5_rank -- 100\n{# 7 #}"
    assert literals(sql) == []


def test_every_model_has_a_description_with_its_grain_beside_it(models):
    undescribed = [
        name for name, node in models.items()
        if not node.description.startswith(node.raw_code.splitlines()[0].removeprefix("-- ").rstrip("."))
        or node.patch_path != f"mathpinpoint://{node.original_file_path.removesuffix('.sql')}.yml"
    ]
    assert undescribed == []


def test_every_model_and_seed_has_a_unique_key(manifest):
    keyed = {
        test.attached_node for test in manifest.nodes.values()
        if getattr(getattr(test, "test_metadata", None), "name", "") in ("unique_combination", "unique")
    }
    tables = {
        key for key, node in manifest.nodes.items() if node.resource_type in ("model", "seed")
    }
    assert tables - keyed == set()


def test_every_seed_types_every_column_and_is_read(manifest, project):
    for node in manifest.nodes.values():
        if node.resource_type == "seed":
            header = (project / node.original_file_path).read_text().splitlines()[0].split(",")
            assert list(node.config.column_types) == header, node.name


def test_every_row_number_has_a_total_order(models):
    """An order ends in an id, or the model's meta says in `total_order` why it is total."""
    undocumented = {
        name: node for name, node in models.items() if "total_order" not in node.config.meta
    }
    assert problems(undocumented, partial_orders) == {}
    needless = {n: node for n, node in models.items() if "total_order" in node.config.meta}
    assert [name for name, node in needless.items() if not partial_orders(node.raw_code)] == []


def test_an_order_without_an_id_is_found():
    assert partial_orders("select row_number() over (partition by q order by score desc) as r")
    assert partial_orders("select row_number() over (partition by query_id) as r")
    assert not partial_orders("select row_number() over (order by a.score desc, a.doc_id) as r")
    assert not partial_orders("row_number() over (order by {{ seeded_order('s', ['x']) }}, x.page_id desc)")


def test_no_model_leaves_a_choice_to_the_engine(models):
    assert problems(models, free_choices) == {}


def test_a_choice_left_to_the_engine_is_found():
    for planted in ("any_value(text)", "first(text)", "mode(label)", "list(doc_id)",
                    "select distinct query_id", "random()", "string_agg(a, ',')"):
        assert len(free_choices(f"select {planted} from pages")) == 1, planted
    assert not free_choices("select a is not distinct from b, list(a order by b), dense.first_rank")


def test_long_models_give_a_reason(models):
    long = {name for name, node in models.items() if len(node.raw_code.splitlines()) > MAX_LINES}
    explained = {name for name, node in models.items() if node.config.meta.get("long_because")}
    assert long == explained


def test_macros_hide_no_table(manifest, project):
    """No ref, from or join in a macro; materializations, their helpers, hooks and tests are exempt."""
    settings = yaml.safe_load((project / "dbt_project.yml").read_text())
    hooks = " ".join(settings["on-run-start"] + settings["on-run-end"])
    exempt = {
        path.relative_to(project).as_posix() for path in (project / "macros").glob("*.sql")
        if "{% materialization" in path.read_text()
    }
    hiding = {
        macro.name for macro in manifest.macros.values()
        if macro.package_name == "mathpinpoint" and macro.original_file_path not in exempt
        and f"{macro.name}(" not in hooks and not macro.name.startswith("test_")
        and re.search(r"\b(?:from|join)\b|\bref\(", without_comments(macro.macro_sql))
    }
    assert hiding == set()


def test_what_is_dispatched_is_written_for_both_engines(manifest):
    macros = {macro.name: macro.macro_sql for macro in manifest.macros.values() if macro.package_name == "mathpinpoint"}
    wanted = {name for text in macros.values() for name in re.findall(r"adapter\.dispatch\('(\w+)'\)", text)}
    assert wanted and wanted <= set(macros)
    assert {f"{engine}__{name}" for name in wanted for engine in ("default", "spark")} - set(macros) == set()


def test_glossary_terms_are_used_and_models_use_terms_that_exist(project):
    texts = {path: path.read_text() for path in (project / "models").rglob("*.yml")}
    used = {term for text in texts.values() for term in re.findall(r"doc\('(\w+)'\)", text)}
    defined = re.findall(r"{% docs (\w+) %}", (project / "models/glossary.md").read_text())
    assert sorted(defined) == sorted(used)


def test_released_tables_are_contracts_with_every_column_described(models):
    released = [node for node in models.values() if node.fqn[1] == "release"]
    assert {node.name for node in released} == {"release_corpus", "release_queries", "release_judgments"}
    for node in released:
        assert node.config.contract.enforced, node.name
        assert all(column.description and column.data_type for column in node.columns.values()), node.name
