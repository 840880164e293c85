extension AttributeServer {
    /// The values that differ between phones.
    package struct Configuration: Sendable, Hashable {
        /// The MTU that the phone can receive, in bytes. Both halves of a bearer offer the same one.
        package var offeredMTU: UInt16 = 527
        /// The MTU before an exchange, in bytes: 23 on LE, 48 on BR/EDR. Source: Vol 3, Part G, 5.2.1.
        package var defaultMTU = 23
        /// How long an indication waits for its confirmation. Source: Vol 3, Part F, 3.3.3.
        package var confirmationLimit: Duration = .seconds(30)
        /// The most indications that wait for earlier ones.
        package var indicationQueueLimit = 64
        /// The most prepared writes of a client.
        package var preparedWritesLimit = 64
        /// The most bytes in all prepared writes of a client.
        package var preparedBytesLimit = 8192
        /// The smallest encryption key for protected attributes, in bytes: 7 to 16.
        package var minimumKeySize = 7
        /// Requests and commands that the server does not know.
        package var unsupported: Set<ATTOpcode> = []
        /// Whether a Read Blob Request of a value that fits in a Read Response is refused. Both are permitted: Vol 3,
        /// Part F, 3.4.4.5.
        package var refusesShortBlobs = false
        /// Whether a value may be written by request and by command, whichever its properties have.
        package var acceptsAnyWriteProcedure = false
        /// The answer to a subscription that the properties do not have; nil if such bits are ignored.
        package var unsupportedSubscriptionError: ATTError? = .valueNotAllowed

        package init() {}
    }
}
