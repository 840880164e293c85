import Glibc

/// Replaces a file in one step: a reader sees either the old content or the new, never a part.
///
/// - Parameter mode: Permissions of the new file.
package func replaceFile(
    _ path: String, with bytes: some Collection<UInt8>, mode: mode_t = 0o644
) throws(SystemError) {
    try replaceFile(path, mode: mode) { file throws(SystemError) in try file.write(bytes) }
}

/// Replaces a file in one step with what is written into a new one.
package func replaceFile(
    _ path: String, mode: mode_t = 0o644, _ write: (Descriptor) throws(SystemError) -> Void
) throws(SystemError) {
    let temporary = "\(path).new"
    do throws(SystemError) {
        let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        try write(file)
        file.close()
        try valueOrErrno("rename", "replacing \(path)") { rename(temporary, path) }
    } catch {
        unlink(temporary)
        throw SystemError(code: error.code, action: "writing \(path)")
    }
}
