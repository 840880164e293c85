/// Where the harness was compiled: lines of a backtrace there are not the team's.
package enum HarnessSources {
    /// Ends with `/Sources/`.
    package static let folder = String(#filePath.dropLast("Runner/HIL/Record/HarnessSources.swift".count))
}
