import Foundation
import HILFoundation

// Of Core Animation only the clock: layers have no screen here.

/// Seconds since the computer was started, as Core Animation counts them.
public func CACurrentMediaTime() -> CFTimeInterval {
    Double(DispatchTime.now().uptimeNanoseconds) / Double(NSEC_PER_SEC)
}

/// Layers have no screen here.
@available(
    *, unavailable, message: "Core Animation's layers are not simulated: leave files with views out of the target"
)
open class CALayer: NSObject {}
