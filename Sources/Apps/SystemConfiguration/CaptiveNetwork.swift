@_exported import Foundation
import HILPhone
@_exported import Security

// The older functions for the name of the current network. Source: SystemConfiguration, CaptiveNetwork.h.

/// The keys of ``CNCopyCurrentNetworkInfo(_:)``.
public let kCNNetworkInfoKeySSID: CFString = "SSID", kCNNetworkInfoKeyBSSID: CFString = "BSSID",
    kCNNetworkInfoKeySSIDData: CFString = "SSIDDATA"

/// The names of the phone's Wi-Fi interfaces.
public func CNCopySupportedInterfaces() -> CFArray? { ["en0"] }

/// The names of the phone's Wi-Fi interfaces, as an array of Foundation.
@_disfavoredOverload
public func CNCopySupportedInterfaces() -> NSArray? { NSArray(array: ["en0"]) }

/// The network that the phone is on: nil without one, and for an app that may not know it (W16).
public func CNCopyCurrentNetworkInfo(_ interfaceName: CFString) -> CFDictionary? {
    guard interfaceName == "en0", let link = Phone.current.network.linkKnownToApp else { return nil }
    return [
        kCNNetworkInfoKeySSID: link.ssid, kCNNetworkInfoKeyBSSID: link.bssid.description.lowercased(),
        kCNNetworkInfoKeySSIDData: Data(link.ssid.utf8),
    ]
}

/// The network that the phone is on, as a dictionary of Foundation.
@_disfavoredOverload
public func CNCopyCurrentNetworkInfo(_ interfaceName: CFString) -> NSDictionary? {
    let info: CFDictionary? = CNCopyCurrentNetworkInfo(interfaceName)
    return info.map { NSDictionary(dictionary: $0) }
}

@available(*, unavailable, message: "reachability is not simulated: use NWPathMonitor of Network")
public final class SCNetworkReachability {}
