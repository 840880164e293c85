import HILPhone

/// A choice of the phone's policy, which an ``Axis`` can vary: the phone of each case makes that choice before the
/// scenario's body begins.
package protocol PolicyChoice: Sendable {
    /// Makes this choice.
    func choose(in policy: inout HostPolicy)
}

extension HostPolicy.PickerEnd: PolicyChoice {
    package func choose(in policy: inout HostPolicy) { policy.pickerEnd = self }
}

extension HostPolicy.BlobLength: PolicyChoice {
    package func choose(in policy: inout HostPolicy) { policy.blobLength = self }
}

extension HostPolicy.HotspotCompletion: PolicyChoice {
    package func choose(in policy: inout HostPolicy) { policy.hotspotCompletion = self }
}

extension HostPolicy.WiFiAwareRole: PolicyChoice {
    package func choose(in policy: inout HostPolicy) { policy.wifiAwareRole = self }
}

extension Axis where Value == HostPolicy.PickerEnd {
    /// Both orders in which a picker can end: `pickerDidDismiss` before the completion, and after it (K11). An app must
    /// stand both.
    public static var pickerEnd: Axis { Axis("picker", Value.allCases) }
}
