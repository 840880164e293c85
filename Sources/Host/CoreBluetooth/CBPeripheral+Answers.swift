import Foundation
import Phone
import RadioModel

extension CBPeripheral {
    /// Takes an answer or a notification, and tells the delegate. On the manager's queue.
    func handle(_ answer: GATTAnswer) {
        switch answer {
        case .services(let wanted, let result):
            if case .success(let services) = result { didDiscover(services, wanted: wanted) }
            delegate?.peripheral(self, didDiscoverServices: result.failure?.asError)
        case .characteristics(let handle, let wanted):
            guard let service = service(handle) else { return }
            service.discover(wanted)
            delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: nil)
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
        case .servicesChanged:
            delegate?.peripheral(self, didModifyServices: invalidateServices())
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension CentralFailure {
    /// The failure as CoreBluetooth tells it.
    var asError: any Error {
        switch self {
        case .attribute(let code): CBATTError(CBATTError.Code(rawValue: Int(code)))
        case .connectionFailed: CBError(.connectionFailed)
        case .linkLost: CBError(.connectionTimeout)
        case .peripheralDisconnected: CBError(.peripheralDisconnected)
        case .notConnected: CBError(.notConnected)
        case .other: CBError(.unknown)
        }
    }
}
