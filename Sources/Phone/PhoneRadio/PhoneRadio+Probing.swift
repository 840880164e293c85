import HILBluetoothHost
import HostRadio
import RadioModel

// A read is a Read Request. A write is a Prepare Write Request without a value, which is cancelled at once: a server
// checks what the link needs, and changes nothing. Source: Core Specification 6.0, Vol 3, Part F, 3.4.4 and 3.4.6.
extension PhoneRadio: AttributeProbing {
    package func probe(_ device: DeviceAddress, _ attributes: [AttributeAccess]) async throws -> [AttributeAccess] {
        let address = current(device)
        _ = try await perform(.connect(address))
        var answers: [AttributeAccess] = []
        for attribute in attributes {
            var answer = AttributeAccess(handle: attribute.handle)
            if attribute.reading != .unknown {
                answer.reading = try await ask(.readRequest(handle: attribute.handle), of: address)
            }
            if attribute.writing != .unknown {
                let prepared = try await ask(.prepareWriteRequest(AttributeWrite(attribute.handle, [])), of: address)
                _ = try await ask(.executeWriteRequest(commits: false), of: address)
                answer.writing = prepared == .refused(ATTError.requestNotSupported.code) ? .unknown : prepared
            }
            answers.append(answer)
        }
        try await disconnect(device)
        return answers
    }

    private func ask(_ pdu: ATTPDU, of address: DeviceAddress) async throws -> AttributeAccess.Answer {
        do {
            _ = try await perform(.gatt(address, .request(pdu)))
            return .allowed
        } catch RadioError.attribute(let code) { return .refused(code) }
    }
}
