/// The output of a SwiftPM build, for people: each diagnostic once, and no progress.
///
/// SwiftPM compiles a module and emits its interface in separate steps, and both find the same errors. Pure: a line goes
/// in, and comes out unless it is left out.
struct CompilerOutput {
    /// The last step that began: `[12/34] Compiling LampApp Lamp.swift`.
    private(set) var progress = ""
    private var seen: Set<String> = []
    /// Whether the lines of source below a diagnostic belong to one that was shown before.
    private var isRepeated = false

    /// Returns the line, or nil.
    mutating func take(_ line: String) -> String? {
        // [12/34] Compiling LampApp Lamp.swift
        if line.prefixMatch(of: #/\[\d+/\d+\] /#) != nil {
            progress = line
            return nil
        }
        // /path/Lamp.swift:12:5: error: …
        if line.prefixMatch(of: #/[^\s|`].*?:\d+:\d+: (?:error|warning|note): /#) != nil {
            isRepeated = !seen.insert(line).inserted
        } else if line.prefixMatch(of: #/\s*\d*\s*[|`]/#) == nil {
            // Neither a line of source nor what is drawn below one.
            isRepeated = false
            // The line of a failed step adds nothing to its errors.
            if line.prefixMatch(of: #/error: (?:emit-module|compile|fatalError|Build failed)/#) != nil { return nil }
        }
        return isRepeated ? nil : line
    }
}
