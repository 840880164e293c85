// Certificates and trust lie below, because Network's TLS uses them as well.
@_exported import Foundation
@_exported import HILFoundation
@_exported import HILTrust
