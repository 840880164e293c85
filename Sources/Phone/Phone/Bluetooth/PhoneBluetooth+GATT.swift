import Foundation
import HostRadio
import RadioModel

/// The attributes of peripherals: work that takes time.
extension PhoneBluetooth {
    /// Carries out a request, and logs the outcome.
    func perform(_ operation: CentralCore.GATTOperation, on phone: Phone) async -> GATTAnswer {
        let request = begin(
            words(for: operation.request, to: operation.peripheral), operation.request.handle)
        let answer = await answer(operation, on: phone)
        name(answer.names, of: operation.peripheral)
        // First the state, then the log: a reader who finds the outcome in the log finds no open request.
        end(request)
        if let outcome = answer.outcome {
            let time = (ContinuousClock.now - request.began).short
            phone.record(.note("Bluetooth", "\(request.what): \(outcome) after \(time)"))
        }
        return answer
    }

    private func answer(_ operation: CentralCore.GATTOperation, on phone: Phone) async -> GATTAnswer {
        let radio = phone.radio
        let peripheral = operation.peripheral
        switch operation.request {
        case .services(let wanted):
            let result = await attempt("discovering services", on: phone) {
                let services = try await radio.discoverServices(wanted, of: address(of: peripheral, on: phone))
                return visible(services, on: phone)
            }
            return .services(wanted: wanted, result)
        case .characteristics(let service, let wanted):
            let result = await attempt("discovering characteristics", on: phone) {
                try await radio.discoverCharacteristics(
                    wanted, ofService: service, of: address(of: peripheral, on: phone))
            }
            return .characteristics(service: service, wanted: wanted, result)
        case .read(let characteristic):
            let result = await attempt("reading", on: phone) {
                try await radio.read(characteristic, of: address(of: peripheral, on: phone))
            }
            return .value(characteristic, result)
        case .write(let characteristic, let value, let withResponse):
            let result = await attempt("writing", on: phone) {
                try await radio.write(
                    value, to: characteristic, of: address(of: peripheral, on: phone), withResponse: withResponse)
            }
            return withResponse ? .written(characteristic, result.failure) : .sent
        case .setNotifying(let characteristic, let isOn):
            let result = await attempt("subscribing", on: phone) {
                try await radio.setNotifying(isOn, for: characteristic, of: address(of: peripheral, on: phone))
            }
            return .notifying(characteristic, isOn: isOn, result.failure)
        case .includedServices(let service, let wanted):
            let result = await attempt("discovering included services", on: phone) {
                let services = try await radio.discoverIncludedServices(
                    ofService: service, of: address(of: peripheral, on: phone))
                return visible(services, on: phone).filter { wanted?.contains($0.uuid) ?? true }
            }
            return .includedServices(service: service, wanted: wanted, result)
        case .descriptors(let characteristic):
            let result = await attempt("discovering descriptors", on: phone) {
                try await radio.discoverDescriptors(of: characteristic, of: address(of: peripheral, on: phone))
            }
            return .descriptors(characteristic, result)
        case .readDescriptor(let descriptor):
            let result = await attempt("reading a descriptor", on: phone) {
                try await radio.read(descriptor, of: address(of: peripheral, on: phone))
            }
            return .descriptorValue(descriptor, result)
        case .writeDescriptor(let descriptor, let value):
            let result = await attempt("writing a descriptor", on: phone) {
                try await radio.write(value, to: descriptor, of: address(of: peripheral, on: phone))
            }
            return .descriptorWritten(descriptor, result.failure)
        case .signal:
            let result = await attempt("asking for the signal", on: phone) {
                try await radio.signal(of: address(of: peripheral, on: phone))
            }
            return .signal(result)
        case .openChannel(let port):
            let result = await attempt("opening an L2CAP channel", on: phone) {
                try await radio.openChannel(to: address(of: peripheral, on: phone), port: port)
            }
            return .channel(port, result)
        }
    }

    /// The services that apps see.
    private func visible(_ services: [GATTService], on phone: Phone) -> [GATTService] {
        let hidden = phone.policy.hiddenServices
        return services.filter { !hidden.contains($0.uuid) }
    }

    func attempt<Value>(
        _ what: String, on phone: Phone, _ body: () async throws -> Value
    ) async -> Result<Value, CentralFailure> {
        do { return .success(try await body()) } catch {
            phone.note(error, during: what, by: "Bluetooth")
            return .failure(CentralFailure(error))
        }
    }

    func address(of peripheral: UUID, on phone: Phone) throws -> DeviceAddress {
        guard let address = phone.identifiers.address(of: peripheral) else {
            throw RadioError.invalid("the phone never heard the peripheral \(peripheral)")
        }
        return address
    }
}

extension Result {
    /// The failure; nil for a success.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
