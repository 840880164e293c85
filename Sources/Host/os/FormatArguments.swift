import Foundation

// On Apple's systems every object may be an argument of a format, which apps use in logs of their own: `log.error("%@", error as
// NSError)`. What a format of C shows of one is its address; `os_log` shows its description.

extension NSError: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}
