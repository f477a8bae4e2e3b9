//! `openapi.json` against the server.

use serde_json::{Map, Value};
use umigame_serve::ServeOptions;

use crate::client::{START, TestServer};

fn description(server: &TestServer) -> Value {
    server.get("/api/v1/openapi.json").json()
}

/// What stands behind a reference.
fn resolved<'a>(all: &'a Value, value: &'a Value) -> &'a Value {
    let Some(path) = value["$ref"].as_str() else { return value };
    let found = all.pointer(path.trim_start_matches('#'));
    found.unwrap_or_else(|| panic!("{path} leads nowhere"))
}

/// Checks a value against a schema; fails with the place.
fn check(all: &Value, schema: &Value, value: &Value, place: &str) {
    let schema = resolved(all, schema);
    if let Some(either) = schema["anyOf"].as_array() {
        let chosen = either.iter().find(|one| (one["type"] == "null") == value.is_null());
        return check(all, chosen.expect("one of two"), value, place);
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = |one: &Value| one == kind || one == "number" && kind == "integer";
    assert!(types.iter().any(fits), "{place} is {value}: expected {types:?}");
    if let Some(known) = schema["enum"].as_array() {
        assert!(known.contains(value), "{place} is {value}: expected {known:?}");
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(all, &schema["items"], item, &format!("{place}[{index}]"));
    }
    let Some(object) = value.as_object() else { return };
    let empty = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(object.contains_key(name.as_str().expect("a name")), "{place} lacks {name}");
    }
    for (name, item) in object {
        let place = format!("{place}.{name}");
        match (properties.get(name), &schema["additionalProperties"]) {
            (Some(property), _) => check(all, property, item, &place),
            (None, Value::Object(_)) => check(all, &schema["additionalProperties"], item, &place),
            (None, closed) => assert_ne!(closed, &Value::Bool(false), "{place} is not described"),
        }
    }
}

/// Requests with right answers for each path.
fn requests() -> Vec<(&'static str, String)> {
    let with = |rest: &str| format!("{{\"position\":\"{START}\"{rest}}}");
    let must_pass = "-OXXXXXX-------------------------------------------------------- O";
    let over = "XXX----------------------------------------------------------OO- X";
    vec![
        (
            "hint",
            with(",\"depth\":5,\"lines\":4,\"client\":\"c\",\"confidence\":95,\"exactFrom\":8"),
        ),
        ("hint", with(",\"timeMs\":10")),
        ("hint", with(",\"nodes\":1000,\"clock\":{\"remainingMs\":60000,\"incrementMs\":100}")),
        ("hint", format!("{{\"position\":\"{over}\",\"level\":3}}")),
        ("solve", format!("{{\"position\":\"{must_pass}\",\"goal\":\"score\",\"lines\":2}}")),
        ("evaluate", with("")),
        ("analyze", "{\"game\":\"f5d6c3d3c4f4f6g5e6\",\"depth\":2}".to_owned()),
        ("analyze", format!("{{\"game\":\"{over}\",\"level\":\"2\"}}")),
        (
            "analyze",
            "{\"game\":\"f5d6c3\",\"depth\":2,\"lines\":60,\"confidence\":95,\"exactFrom\":4,\"timeMs\":900}"
                .to_owned(),
        ),
        ("play", with(",\"level\":2,\"seed\":7")),
        ("play", with(",\"clock\":{\"remainingMs\":1000}")),
        ("play", with(",\"moveTimeMs\":10")),
        ("play", with(",\"level\":\"beginner\",\"maxError\":20,\"seed\":1")),
        ("play", with(",\"level\":1,\"error\":30")),
        ("play", format!("{{\"position\":\"{must_pass}\"}}")),
        ("play", format!("{{\"position\":\"{over}\"}}")),
        ("read", "{\"text\":\"f5d6\"}".to_owned()),
        ("read", "{\"text\":\"(;GM[Othello]PB[a]PW[b]B[f5];)\"}".to_owned()),
        ("layers", with("")),
        ("diagram", "{\"board\":\"f5d6\",\"size\":200,\"numbers\":true,\"legal\":false}".to_owned()),
        ("diagram", "{\"board\":\"f5\",\"lastMove\":true,\"values\":{\"d6\":1.5}}".to_owned()),
        (
            "games",
            with(",\"player\":\"\",\"event\":\"\",\"fromYear\":0,\"toYear\":2030,\"limit\":9"),
        ),
        ("stop", "{\"client\":\"x\"}".to_owned()),
    ]
}

#[test]
fn answers_have_the_form_that_is_described() {
    let games = Some(crate::games::served());
    let server = TestServer::start_with(ServeOptions { games, ..ServeOptions::default() });
    let all = description(&server);
    let schema = |path: &str, method: &str, status: &str| -> Value {
        let response = resolved(&all, &all["paths"][path][method]["responses"][status]);
        let schema = &response["content"]["application/json"]["schema"];
        assert!(!schema.is_null(), "{method} {path} does not describe {status}");
        schema.clone()
    };
    check(
        &all,
        &schema("/api/v1/levels", "get", "200"),
        &server.get("/api/v1/levels").json(),
        "levels",
    );
    for (name, body) in requests() {
        let path = format!("/api/v1/{name}");
        let request =
            &all["paths"][&path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let sent: Value = serde_json::from_str(&body).expect("JSON");
        check(&all, request, &sent, &format!("request of {name}"));
        check(&all, &schema(&path, "post", "200"), &server.ask(name, &body), name);
        // Each of its events has the form of a report or of the end.
        if all["paths"][&path]["post"]["responses"]["200"]["content"]["text/event-stream"]
            .is_object()
        {
            for (event, data) in server.events(name, &body) {
                let kind = if event == "report" && name != "analyze" { "Report" } else { "" };
                let of_report = &all["components"]["schemas"][kind];
                let of_end = schema(&path, "post", "200");
                check(&all, if kind.is_empty() { &of_end } else { of_report }, &data, &event);
            }
        }
        for (token, body, status) in [("", "{}", "401"), (crate::client::TOKEN, "nonsense", "400")]
        {
            let reply = server.request("POST", &path, &[("X-Umigame-Token", token)], body);
            assert_eq!(reply.status.to_string(), status, "{name}");
            check(&all, &schema(&path, "post", status), &reply.json(), &format!("{name} {status}"));
        }
    }
}

#[test]
fn what_is_described_is_served_and_the_other_way_round() {
    let server = TestServer::start();
    let all = description(&server);
    let mut described: Vec<String> = Vec::new();
    for (path, methods) in all["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let reply = server.request(&method.to_uppercase(), path, &[], "{}");
            let is_served = !matches!(reply.status, 404 | 405);
            assert!(is_served, "{method} {path}: {reply:?}");
            described.push(path.clone());
        }
    }
    // The table of routes in the source.
    let routes = include_str!("../../src/routes.rs");
    let mut served: Vec<&str> = routes
        .split('"')
        .filter(|text| text.starts_with("/api/v1/") && !text.contains('`'))
        .collect();
    served.sort_unstable();
    described.sort_unstable();
    assert_eq!(described, served);
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    let server = TestServer::start();
    let all = description(&server);
    let text = all.to_string();
    for (name, _) in all["components"]["schemas"].as_object().expect("schemas") {
        assert!(
            text.contains(&format!("#/components/schemas/{name}\"")) || name == "Report",
            "{name}"
        );
    }
    fn visit(all: &Value, value: &Value) {
        if value["$ref"].is_string() {
            resolved(all, value);
        }
        for inner in value.as_array().into_iter().flatten() {
            visit(all, inner);
        }
        for inner in value.as_object().into_iter().flat_map(Map::values) {
            visit(all, inner);
        }
    }
    visit(&all, &all);
}
