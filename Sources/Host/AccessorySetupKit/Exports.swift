// As on iOS, where the framework's headers import them.
@_exported import CoreBluetooth
@_exported import Dispatch
@_exported import Foundation
