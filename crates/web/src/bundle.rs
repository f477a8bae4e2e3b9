//! Makes one script of JavaScript modules: each becomes a function that is called once and returns its
//! exports. Knows the forms that the page uses: imports and exports of names, without circles, without
//! `default` and without `await` outside functions.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the script of a module and all that it imports. Comments on lines of their own and the blanks
/// before lines are left out.
///
/// # Errors
/// A file that cannot be read, or a form of import or export that is not known.
pub(crate) fn bundle(entry: &Path) -> Result<String, String> {
    let mut modules = Vec::new();
    visit(entry, &mut Vec::new(), &mut modules)?;
    let mut script = String::new();
    for (number, module) in modules.iter().enumerate() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(script, "const $m{number} = (() => {{");
        for import in &module.imports {
            let from = modules.iter().position(|other| other.path == import.path).unwrap_or(number);
            let _ =
                writeln!(script, "const {{ {} }} = $m{from};", import.names.replace(" as ", ": "));
        }
        let exports = module.exports.join(", ");
        let _ = write!(script, "{}return {{ {exports} }};\n}})();\n", module.body);
    }
    Ok(script)
}

/// A module: its imports, its exports and its other lines.
struct Module {
    path: PathBuf,
    imports: Vec<Import>,
    exports: Vec<String>,
    body: String,
}

struct Import {
    path: PathBuf,
    names: String,
}

/// Adds a module after those that it imports.
fn visit(path: &Path, above: &mut Vec<PathBuf>, modules: &mut Vec<Module>) -> Result<(), String> {
    let path = fs::canonicalize(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if modules.iter().any(|module| module.path == path) {
        return Ok(());
    }
    if above.contains(&path) {
        return Err(format!("{}: imports itself through others", path.display()));
    }
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let module = read(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    above.push(path);
    for import in &module.imports {
        visit(&import.path, above, modules)?;
    }
    above.pop();
    modules.push(module);
    Ok(())
}

fn read(path: &Path, text: &str) -> Result<Module, String> {
    let mut module = Module {
        path: path.to_owned(),
        imports: Vec::new(),
        exports: Vec::new(),
        body: String::new(),
    };
    let folder = path.parent().unwrap_or(path);
    let mut lines = text.lines();
    let mut in_comment = false;
    while let Some(line) = lines.next() {
        let mut code = line.trim_start();
        if in_comment || code.starts_with("/*") {
            // A cast to a type is a comment before an expression.
            let after = code.split_once("*/").map(|(_, after)| after.trim_start());
            in_comment = after.is_none();
            code = after.unwrap_or_default();
        }
        if code.starts_with("//") || code.is_empty() {
            continue;
        }
        let mut statement = line.to_owned();
        if line.starts_with("import ") || line.starts_with("export {") {
            while !statement.ends_with(';') {
                let next = lines.next().ok_or_else(|| format!("`{line}` has no end"))?;
                statement = format!("{statement} {}", next.trim());
            }
        }
        if let Some(rest) = statement.strip_prefix("import ") {
            module.imports.push(import(rest, folder)?);
        } else if let Some(rest) = statement.strip_prefix("export ") {
            export(rest, folder, &mut module)?;
        } else {
            module.body += code;
            module.body.push('\n');
        }
    }
    Ok(module)
}

/// Reads `{ a, b as c } from "./other.js";`.
fn import(statement: &str, folder: &Path) -> Result<Import, String> {
    let unknown = || format!("`import {statement}`: expected {{ names }} from a file");
    let (names, file) = statement.split_once(" from ").ok_or_else(unknown)?;
    let names =
        names.strip_prefix('{').and_then(|names| names.strip_suffix('}')).ok_or_else(unknown)?;
    let file = file.trim_end_matches(';').trim_matches('"');
    if !file.starts_with('.') {
        return Err(unknown());
    }
    let path = fs::canonicalize(folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
    Ok(Import { path, names: names.trim().trim_end_matches(',').to_owned() })
}

/// Reads what follows `export`: a declaration, or names in braces, of this file or another.
fn export(statement: &str, folder: &Path, module: &mut Module) -> Result<(), String> {
    if let Some(names) = statement.strip_prefix('{') {
        let names = names.split('}').next().unwrap_or_default();
        if names.contains(" as ") {
            return Err(format!("`export {statement}`: expected names without `as`"));
        }
        if statement.contains(" from ") {
            module.imports.push(import(statement, folder)?);
        }
        module
            .exports
            .extend(names.split(',').map(|name| name.trim().to_owned()).filter(|n| !n.is_empty()));
        return Ok(());
    }
    let kinds = ["async function*", "async function", "function*", "function", "class", "const"];
    let rest = kinds.iter().find_map(|kind| statement.strip_prefix(&format!("{kind} ")));
    let rest =
        rest.ok_or_else(|| format!("`export {statement}`: expected a function, class or const"))?;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let name: String = rest.chars().take_while(|c| is_part(*c)).collect();
    module.exports.push(name);
    module.body += statement;
    module.body.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder for the test");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("writable");
        }
        folder
    }

    #[test]
    fn modules_come_after_what_they_import_each_once_and_without_comments() {
        let folder = files(&[
            (
                "main.js",
                "import {\n  twice,\n  one as single,\n} from \"./b.js\";\nimport { one } from \"./a.js\";\ntwice(one + single);\n",
            ),
            (
                "b.js",
                "/**\n * Doc.\n */\nexport function twice(x) {\n  // Note.\n  return 2 * x;\n}\nexport { one } from \"./a.js\";\n",
            ),
            ("a.js", "/* A. */\nexport const one = 1;\n/** @type {X} */ (one).z;\n"),
        ]);
        let script = bundle(&folder.path().join("main.js"));
        let expected = "const $m0 = (() => {\nexport const one = 1;\n(one).z;\nreturn { one };\n})();\n\
            const $m1 = (() => {\nconst { one } = $m0;\nfunction twice(x) {\nreturn 2 * x;\n}\nreturn { twice, one };\n})();\n\
            const $m2 = (() => {\nconst { twice, one: single } = $m1;\nconst { one } = $m0;\ntwice(one + single);\nreturn {  };\n})();\n";
        assert_eq!(script.as_deref(), Ok(expected.replace("export ", "").as_str()));
    }

    #[test]
    fn what_cannot_be_bundled_is_named() {
        for (text, part) in [
            ("import x from \"./a.js\";", "import x"),
            ("import { x } from \"react\";", "react"),
            ("import { x } from \"./none.js\";", "./none.js"),
            ("export default 1;", "export default"),
            ("export * from \"./a.js\";", "export *"),
            ("export { x as y } from \"./a.js\";", "export { x as y }"),
            ("import { x } from \"./main.js\";", "imports itself"),
        ] {
            let folder = files(&[("main.js", text), ("a.js", "export const x = 1;\n")]);
            let error = bundle(&folder.path().join("main.js")).expect_err("it is refused");
            assert!(error.contains(part) && error.contains("main.js"), "{text}: {error}");
        }
    }
}
