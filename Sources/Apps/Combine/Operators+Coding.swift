import Foundation

// Decoding and encoding of values. Source: Combine, Publisher.

/// Something that decodes whole values. Source: Combine, TopLevelDecoder.
public protocol TopLevelDecoder<Input> {
    associatedtype Input
    func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// Something that encodes whole values. Source: Combine, TopLevelEncoder.
public protocol TopLevelEncoder<Output> {
    associatedtype Output
    func encode<T: Encodable>(_ value: T) throws -> Output
}

extension JSONDecoder: TopLevelDecoder {}
extension JSONEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}

extension Publisher {
    /// Gives each decoded value; an error ends it.
    public func decode<Item: Decodable, Coder: TopLevelDecoder>(
        type: Item.Type, decoder: Coder
    ) -> AnyPublisher<Item, any Error> where Output == Coder.Input {
        tryMap { try decoder.decode(type, from: $0) }.eraseToAnyPublisher()
    }
}

extension Publisher where Output: Encodable {
    /// Gives each encoded value; an error ends it.
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> AnyPublisher<Coder.Output, any Error> {
        tryMap { try encoder.encode($0) }.eraseToAnyPublisher()
    }
}
