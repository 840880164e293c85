// What an app learns from an event.
extension CentralEvent {
    /// The name of the delegate's method that the event calls: `didDisconnectPeripheral`.
    package var callback: String {
        switch self {
        case .power(let power): "didUpdateState \(power)"
        case .restored: "willRestoreState"
        case .discovered: "didDiscover"
        case .connected: "didConnect"
        case .mtuChanged: "mtuChanged"
        case .failedToConnect: "didFailToConnect"
        case .disconnected: "didDisconnectPeripheral"
        case .renamed: "didUpdateName"
        case .sharingChanged: "didUpdateANCSAuthorization"
        case .connectionChanged: "connectionEventDidOccur"
        case .gatt(_, let answer): answer.callback
        }
    }

    /// Whether it says that something failed, or ended without the app's doing.
    package var isBadNews: Bool {
        switch self {
        case .power(let power): power != .on
        case .failedToConnect: true
        case .disconnected(_, let failure, _): failure != nil
        case .gatt(_, let answer): answer.isFailure
        case .restored, .discovered, .connected, .mtuChanged, .renamed, .sharingChanged, .connectionChanged: false
        }
    }
}

extension GATTAnswer {
    fileprivate var callback: String {
        switch self {
        case .services: "didDiscoverServices"
        case .characteristics: "didDiscoverCharacteristicsFor"
        case .value: "didUpdateValueFor"
        case .written: "didWriteValueFor"
        case .sent: "isReadyToSendWriteWithoutResponse"
        case .notifying: "didUpdateNotificationStateFor"
        case .includedServices: "didDiscoverIncludedServicesFor"
        case .descriptors: "didDiscoverDescriptorsFor"
        case .descriptorValue: "didUpdateValueForDescriptor"
        case .descriptorWritten: "didWriteValueForDescriptor"
        case .signal: "didReadRSSI"
        case .channel: "didOpen"
        case .servicesChanged: "didModifyServices"
        }
    }

    fileprivate var isFailure: Bool {
        func failed<Value>(_ result: Result<Value, CentralFailure>) -> Bool {
            if case .failure = result { true } else { false }
        }
        return switch self {
        case .services(_, let result), .includedServices(_, _, let result): failed(result)
        case .characteristics(_, _, let result): failed(result)
        case .value(_, let result), .descriptorValue(_, let result): failed(result)
        case .written(_, let failure), .notifying(_, _, let failure), .descriptorWritten(_, let failure): failure != nil
        case .descriptors(_, let result): failed(result)
        case .signal(let result): failed(result)
        case .channel(_, let result): failed(result)
        case .sent, .servicesChanged: false
        }
    }
}
