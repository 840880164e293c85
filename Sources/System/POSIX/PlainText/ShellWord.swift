/// Quotes any text as one word for a shell.
package func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }
