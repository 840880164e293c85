import Foundation

// On Apple's systems every object may be an argument of a format, which apps use in their own logs: `log.error("%@",
// error as NSError)`. A format of C shows the object's address; `os_log` shows its description.

extension NSError: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}
