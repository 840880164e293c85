// On Apple's systems these are parts of Foundation. The copies that the plugin AppleSources makes import this module.
@_exported import Foundation
@_exported import FoundationNetworking
