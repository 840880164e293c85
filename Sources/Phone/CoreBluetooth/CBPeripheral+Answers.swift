import Foundation
import HILPhone
import RadioModel

extension CBPeripheral {
    /// Handles an answer or a notification of the peripheral: updates the objects, then calls the delegate. Runs on the
    /// manager's queue.
    func handle(_ answer: GATTAnswer) {
        store(answer)
        switch answer {
        case .services(_, let result):
            delegate?.peripheral(self, didDiscoverServices: result.failure?.asError)
        case .characteristics(let handle, _, let result):
            guard let service = service(handle) else { return }
            delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: result.failure?.asError)
        case .value(let id, let result):
            guard let characteristic = characteristic(id) else { return }
            if case .success(let value) = result { characteristic.value = value }
            delegate?.peripheral(self, didUpdateValueFor: characteristic, error: result.failure?.asError)
        case .written(let id, let failure):
            guard let characteristic = characteristic(id) else { return }
            delegate?.peripheral(self, didWriteValueFor: characteristic, error: failure?.asError)
        case .sent:
            if didSendWrite() { delegate?.peripheralIsReady(toSendWriteWithoutResponse: self) }
        case .notifying(let id, let isOn, let failure):
            guard let characteristic = characteristic(id) else { return }
            if failure == nil { characteristic.isNotifying = isOn }
            delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: failure?.asError)
        case .includedServices(let handle, _, let result):
            guard let service = service(handle) else { return }
            delegate?.peripheral(self, didDiscoverIncludedServicesFor: service, error: result.failure?.asError)
        case .descriptors(let id, let result):
            guard let characteristic = characteristic(id) else { return }
            delegate?.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: result.failure?.asError)
        case .descriptorValue(let id, let result):
            guard let descriptor = descriptor(id) else { return }
            if case .success(let value) = result { descriptor.update(value) }
            delegate?.peripheral(self, didUpdateValueFor: descriptor, error: result.failure?.asError)
        case .descriptorWritten(let id, let failure):
            guard let descriptor = descriptor(id) else { return }
            delegate?.peripheral(self, didWriteValueFor: descriptor, error: failure?.asError)
        case .signal(let result):
            let value = (try? result.get()) ?? 127  // CoreBluetooth's value for “not known”.
            delegate?.peripheral(self, didReadRSSI: NSNumber(value: value), error: result.failure?.asError)
        case .channel(let port, let result):
            let channel = (try? result.get()).map { CBL2CAPChannel($0, port: port, peer: self) }
            delegate?.peripheral(self, didOpen: channel, error: result.failure?.asError)
        case .servicesChanged:
            delegate?.peripheral(self, didModifyServices: invalidateServices())
        }
    }
}

extension CBPeripheral {
    /// Puts what was discovered into the objects that the app sees.
    private func store(_ answer: GATTAnswer) {
        switch answer {
        case .services(let wanted, .success(let services)): didDiscover(services, isAll: wanted == nil)
        case .characteristics(let handle, let wanted, .success(let found)):
            service(handle)?.didDiscover(found, isAll: wanted == nil)
        case .includedServices(let handle, let wanted, .success(let found)):
            service(handle)?.didDiscoverIncluded(learn(found), isAll: wanted == nil)
        case .descriptors(let id, .success(let found)): characteristic(id)?.didDiscover(found)
        default: break
        }
    }

    /// Takes over the state that the object had in the app that the system ended, without calls of the delegate (C20).
    func restore(_ old: RestoredPeripheral) {
        guard let mtu = old.mtu else { return setState(.connecting) }
        didConnect(mtu: mtu)
        for discovery in old.discoveries { store(discovery) }
        for subscription in old.subscriptions { characteristic(subscription)?.isNotifying = true }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension CentralFailure {
    /// The failure as the error that CoreBluetooth gives for it.
    var asError: any Error {
        switch self {
        case .attribute(let code): CBATTError(CBATTError.Code(rawValue: Int(code)) ?? .unnamed(Int(code)))
        case .connectionFailed: CBError(.connectionFailed)
        case .linkLost: CBError(.connectionTimeout)
        case .peripheralDisconnected: CBError(.peripheralDisconnected)
        case .notConnected: CBError(.notConnected)
        case .peerRemovedPairing: CBError(.peerRemovedPairingInformation)
        case .requestFailed, .other: CBError(.unknown)
        }
    }
}
