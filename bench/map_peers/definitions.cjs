// Definitions as the TypeScript compiler reads them: one JSON object, by file, of [line, name] pairs.
// Usage: node definitions.cjs FOLDER_WITH_TYPESCRIPT < list of files, one in a line
const fs = require("fs")
const path = require("path")
const ts = require(path.join(process.argv[2], "lib", "typescript.js"))

const isFunction = (node) => node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))

const named = (node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isClassExpression(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isModuleDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isGetAccessor(node) ||
  ts.isSetAccessor(node) ||
  (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isFunction(node.initializer)) ||
  (ts.isPropertyDeclaration(node) && isFunction(node.initializer))

const definitions = (file) => {
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const rows = []
  const visit = (node) => {
    const name = ts.isConstructorDeclaration(node) ? "constructor" : named(node) && node.name && node.name.getText()
    if (name) {
      const place = (node.name || node).getStart()
      rows.push([source.getLineAndCharacterOfPosition(place).line + 1, name.replace(/^["']|["']$/g, "")])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return rows
}

const files = fs.readFileSync(0, "utf8").split("\n").filter(Boolean)
process.stdout.write(JSON.stringify(Object.fromEntries(files.map((file) => [file, definitions(file)]))))
