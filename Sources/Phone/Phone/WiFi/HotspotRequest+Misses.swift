import HostRadio
import RadioModel

extension HotspotRequest {
    /// The name that the person and the log read.
    var shownName: String { hotspot20Domain ?? name.text }

    /// Why a network is not the wanted one.
    func miss(_ network: WiFiNetwork) -> NearMiss {
        let difference: String? =
            if network.ssid.isEmpty {
                "it hides its name: an app that wants a hidden network sets `hidden`, so that the phone asks for it"
            } else {
                NearMiss.name(network.ssid, wanted: name.text, isPrefix: name != .exact(name.text))
            }
        return NearMiss(
            search: "joining “\(name.text)”", heard: network.heardAs,
            reasons: [difference ?? mismatch(with: network) ?? "it was not joined"], held: difference == nil ? 1 : 0)
    }
}

extension PhoneNetwork.State {
    /// Whether the phone is on the network of a request.
    func isOn(_ request: HotspotRequest) -> Bool { link.map { request.name.matches($0.ssid) } ?? false }

    /// Changes the configuration of an app for a request.
    mutating func update(
        _ request: HotspotRequest, of app: String, _ change: (inout PhoneNetwork.Configuration) -> Void
    ) {
        guard let index = configurations[app]?.firstIndex(where: { $0.request == request }) else { return }
        change(&configurations[app, default: []][index])
    }

    /// Changes the configurations of all apps for a network.
    mutating func update(configurationsFor ssid: String, _ change: (inout PhoneNetwork.Configuration) -> Void) {
        for app in configurations.keys {
            for index in configurations[app, default: []].indices where configurations[app]?[index].isFor(ssid) == true
            {
                change(&configurations[app, default: []][index])
            }
        }
    }
}
