"""Croissant metadata: the release as JSON-LD that data set search engines read."""

import json

from mathpinpoint.release.layout import CONFIGS, Written

CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
KINDS = {"string": "sc:Text", "bool": "sc:Boolean", "int": "sc:Integer", "float": "sc:Float"}
# In words: a reader that sees `references` joins the tables in memory, and no two of them.
REFERENCES = {
    ("judgments", "qid"): "queries/qid",
    ("judgments", "did"): "corpus/did",
    ("queries", "source_did"): "corpus/did",
}


def croissant(written: list[Written], facts: dict) -> str:
    """The metadata of a release as JSON text: one FileSet and one RecordSet a config."""
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts["pretty_name"],
        "description": "Judged pairs of mathematical questions and web pages that may solve them.",
        "license": facts["license"],
        "version": next(each.version for each in written if each.config == "judgments"),
        "distribution": [_file_set(each.config) for each in written],
        "recordSet": [_record_set(each) for each in written],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _file_set(config: str) -> dict:
    return {
        "@type": "cr:FileSet",
        "@id": f"{config}-files",
        "name": f"{config}-files",
        "description": f"The Parquet shards of {config}.",
        "encodingFormat": "application/x-parquet",
        "includes": f"{config}/train-*.parquet",
    }


def _record_set(written: Written) -> dict:
    config = CONFIGS[written.config]
    return {
        "@type": "cr:RecordSet",
        "@id": written.config,
        "name": written.config,
        "description": config.about,
        "key": [{"@id": f"{written.config}/{name}"} for name in config.key],
        "field": [_field(written.config, feature) for feature in written.features],
    }


def _field(config: str, feature: dict) -> dict:
    name, is_list = feature["name"], "list" in feature
    dtype = str(feature["list"] if is_list else feature["dtype"])
    kinds = (kind for stem, kind in KINDS.items() if dtype.startswith(stem))
    field = {
        "@type": "cr:Field",
        "@id": f"{config}/{name}",
        "name": name,
        "dataType": next(kinds, "sc:Text"),
        "source": {"fileSet": {"@id": f"{config}-files"}, "extract": {"column": name}},
    }
    if is_list:
        field["repeated"] = True
    if (config, name) in REFERENCES:
        field["description"] = f"One of {REFERENCES[config, name]}."
    return field
