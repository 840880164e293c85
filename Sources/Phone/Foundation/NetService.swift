import Foundation

@available(
    *, unavailable,
    message:
        "NetService is not simulated: find services with NWBrowser and connect to them with NWConnection, of Network"
)
open class NetService: NSObject {}

@available(
    *, unavailable,
    message: "NetServiceBrowser is not simulated: find services with NWBrowser of Network"
)
open class NetServiceBrowser: NSObject {}

@available(*, unavailable, message: "NetService is not simulated: find services with NWBrowser of Network")
public protocol NetServiceDelegate: AnyObject {}

@available(
    *, unavailable, message: "NetServiceBrowser is not simulated: find services with NWBrowser of Network"
)
public protocol NetServiceBrowserDelegate: AnyObject {}
