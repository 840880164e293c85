import Glibc

/// Reads files and folders that the kernel generates while they are read, such as those below `/proc` and `/sys`.
///
/// Their size is not known beforehand, and Foundation keeps memory for each one that it reads.
package enum KernelFile {
    /// More than the size of any such file.
    private static let limit = 1 << 20

    /// The bytes of a file; none if it cannot be read, for example because its process has ended.
    package static func bytes(_ path: String) -> [UInt8] {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return [] }
        var bytes: [UInt8] = []
        // They end at the first empty read.
        while bytes.count < limit, let more = try? file.read(upTo: 4096), !more.isEmpty { bytes += more }
        return bytes
    }

    /// The text of a file; empty if it cannot be read.
    package static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

    /// The numbers among the names in a folder, such as the processes in `/proc` and the threads in `/proc/PID/task`.
    package static func numbers(in path: String) -> [pid_t] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var numbers: [pid_t] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = pid_t(name) { numbers.append(number) }
        }
        return numbers
    }

    /// The processes that this user may inspect and that started with a matching entry in their environment. Later
    /// changes of the environment do not count (proc_pid_environ(5)).
    package static func processes(whoseEnvironment matches: (_ entry: String) -> Bool) -> [pid_t] {
        numbers(in: "/proc").filter { process in
            bytes("/proc/\(process)/environ").split(separator: 0).contains {
                matches(String(decoding: $0, as: UTF8.self))
            }
        }
    }
}
