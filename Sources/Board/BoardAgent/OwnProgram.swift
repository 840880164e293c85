import Glibc
import HILPOSIX

/// The path of the running program, for starting it in another role.
func ownProgram() throws(SystemError) -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let size = try valueOrErrno("readlink", "finding the agent's own file") {
        readlink("/proc/self/exe", &path, path.count)
    }
    return String(decoding: path.prefix(Int(size)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
