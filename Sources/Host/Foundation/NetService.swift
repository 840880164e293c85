import Foundation

@available(
    *, unavailable,
    message: "NetService is not simulated: find services by NWBrowser and connect to them by NWConnection, of Network"
)
open class NetService: NSObject {}

@available(
    *, unavailable,
    message: "NetServiceBrowser is not simulated: find services by NWBrowser of Network, which is"
)
open class NetServiceBrowser: NSObject {}

@available(*, unavailable, message: "NetService is not simulated: find services by NWBrowser of Network, which is")
public protocol NetServiceDelegate: AnyObject {}

@available(
    *, unavailable, message: "NetServiceBrowser is not simulated: find services by NWBrowser of Network, which is"
)
public protocol NetServiceBrowserDelegate: AnyObject {}
