// swift-tools-version: 6.2
import PackageDescription

/// Set to build and test only the auth core and its dependents without GUI, where GTK, WebKitGTK or
/// libsecret are missing: `ENTRANCE_HEADLESS=1 swift test`.
let headless = Context.environment["ENTRANCE_HEADLESS"] != nil

/// Set to build a fuzzer instead of the test that replays its corpora:
/// `meson-helpers/test.sh fuzz` sets it.
///
/// SwiftPM links every executable of a package into the tests, and this one has no `main` of its
/// own.
let fuzzing = Context.environment["ENTRANCE_FUZZING"] != nil

/// Set where the packages that this one depends on are in `swift-packages`, as in the source package
/// of Debian: then none is fetched.
///
/// Apple's packages know it, too, and then use the packages beside them.
let local = Context.environment["SWIFTCI_USE_LOCAL_DEPS"] != nil

/// Coverage for libFuzzer: with two sanitizers, Swift omits it by default.
let coverage: [SwiftSetting] =
  fuzzing
  ? [.unsafeFlags(["-sanitize-coverage=edge,trace-cmp,inline-8bit-counters,pc-table"])] : []

let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ] + coverage

/// Everything that uses a widget is on the main actor.
let onMainActor: [SwiftSetting] = strict + [.defaultIsolation(MainActor.self)]

/// WebKitGTK's headers.
///
/// The flags from pkg-config would also link the library; `CWebKit` explains why it is not linked.
let webKitHeaders: [SwiftSetting] = [
  .unsafeFlags([
    "-Xcc", "-I/usr/include/webkitgtk-6.0", "-Xcc", "-I/usr/include/libsoup-3.0",
  ])
]

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let jwtKit = Target.Dependency.product(name: "JWTKit", package: "jwt-kit")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

let core: [Target] = [
  // C libraries, with handwritten module maps.
  .systemLibrary(name: "CGettext"),
  .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
  .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

  // Translatable sentences of errors.
  .target(name: "Sentences", swiftSettings: strict),

  // Tables of Microsoft Graph's permissions and resources.
  .target(name: "CGraphTables", exclude: ["permissions.gz", "schema.gz"]),

  // The auth core and its headless dependents.
  .target(
    name: "CurlHTTP", dependencies: ["CCurl", "CZlib", "Sentences", httpTypes],
    swiftSettings: strict),
  .target(
    name: "AuthCore",
    dependencies: ["CurlHTTP", "Sentences", crypto, cryptoExtras, httpTypes, jwtKit, logging],
    swiftSettings: strict),
  .target(
    name: "MicrosoftGraph",
    dependencies: [
      "AuthCore", "CGraphTables", "CurlHTTP", "Sentences", crypto, cryptoExtras, httpTypes,
    ],
    swiftSettings: strict),
  .target(
    name: "HTTPFiles", dependencies: ["AuthCore", "CurlHTTP", "Sentences"],
    swiftSettings: strict),
  .target(
    name: "Localization", dependencies: ["CGettext", "CurlHTTP", "Sentences"],
    swiftSettings: strict),
  .target(
    name: "Connections", dependencies: ["AuthCore", "CurlHTTP", "Sentences"],
    swiftSettings: strict),
  .target(
    name: "EntranceKit",
    dependencies: [
      "AuthCore", "Connections", "CurlHTTP", "HTTPFiles", "Localization", "MicrosoftGraph",
      "Sentences", crypto, httpTypes, logging,
    ],
    swiftSettings: strict),

  // An emulator of the Microsoft identity platform and Graph, for the demo, tests and offline work.
  .target(
    name: "IdentityEmulator",
    dependencies: [
      "CMicroHTTPD",
      crypto,
      cryptoExtras,
      httpTypes,
      .product(name: "SwiftASN1", package: "swift-asn1"),
      .product(name: "X509", package: "swift-certificates"),
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "identity-emulator", dependencies: ["IdentityEmulator"], swiftSettings: strict),

  // Benchmarks of the auth core and of CurlHTTP, and their floors.
  .target(name: "BenchmarkSupport", path: "Benchmarks/support", swiftSettings: strict),
  .executableTarget(
    name: "auth-benchmark", dependencies: ["AuthCore", "BenchmarkSupport", "CurlHTTP", httpTypes],
    path: "Benchmarks/auth", swiftSettings: strict),
  .executableTarget(
    name: "request-benchmark", dependencies: ["BenchmarkSupport", "CurlHTTP", httpTypes],
    path: "Benchmarks/request", swiftSettings: strict),
  .executableTarget(
    name: "graph-benchmark",
    dependencies: ["AuthCore", "BenchmarkSupport", "MicrosoftGraph", httpTypes],
    path: "Benchmarks/graph", swiftSettings: strict),
  .executableTarget(
    name: "token-floor", path: "Benchmarks/token-floor", swiftSettings: strict),

  .testTarget(name: "SentencesTests", dependencies: ["Sentences"], swiftSettings: strict),
  .testTarget(
    name: "CurlHTTPTests", dependencies: ["CurlHTTP", "Sentences", httpTypes],
    exclude: ["misbehave.py"],
    swiftSettings: strict),
  // Counts the memory that a test has allocated.
  .target(name: "CAllocations", path: "Tests/CAllocations"),
  .target(
    name: "TestSupport",
    dependencies: ["AuthCore", "CurlHTTP", crypto, cryptoExtras, httpTypes],
    path: "Tests/TestSupport", swiftSettings: strict),
  .testTarget(
    name: "AuthCoreTests",
    dependencies: [
      "AuthCore", "CAllocations", "CurlHTTP", "Sentences", "TestSupport", crypto, cryptoExtras,
      httpTypes, jwtKit, logging,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "MicrosoftGraphTests",
    dependencies: ["MicrosoftGraph", "AuthCore", "CurlHTTP", httpTypes],
    exclude: ["sample-queries.txt"], swiftSettings: strict),
  .testTarget(
    name: "HTTPFilesTests", dependencies: ["HTTPFiles", "Sentences", "TestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "ConnectionsTests", dependencies: ["Connections", "AuthCore", "TestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "EntranceKitTests",
    dependencies: [
      "EntranceKit", "AuthCore", "Connections", "CurlHTTP", "HTTPFiles", "IdentityEmulator",
      "MicrosoftGraph", "TestSupport", httpTypes,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "IdentityEmulatorTests",
    dependencies: ["IdentityEmulator", "CurlHTTP", "TestSupport", httpTypes],
    swiftSettings: strict),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "AuthCore", "CurlHTTP", "IdentityEmulator", "MicrosoftGraph", "TestSupport", httpTypes,
    ],
    swiftSettings: strict),

  // The examples of the documentation; complete programs are in Snippets.
  .testTarget(
    name: "DocumentationTests",
    dependencies: [
      "AuthCore", "CurlHTTP", "IdentityEmulator", "MicrosoftGraph", "Sentences", "TestSupport",
      httpTypes, logging,
    ] + (headless ? [] : ["Clients", "Connections", "IdentityBroker", "SecretStore"]),
    swiftSettings: strict + (headless ? [] : [.define("DESKTOP")])),
]

/// The parsers of input from outside, with their corpora.
let fuzz: Target = {
  let dependencies: [Target.Dependency] =
    [
      "AuthCore", "Connections", "CurlHTTP", "EntranceKit", "HTTPFiles", "MicrosoftGraph",
      "TestSupport", httpTypes,
    ]
    + (headless ? [] : ["IdentityBroker", "WebSignIn"])
  let settings = strict + (headless ? [] : [.define("DESKTOP")] + webKitHeaders)
  return fuzzing
    ? .executableTarget(
      name: "fuzz", dependencies: dependencies, path: "Tests/FuzzTests",
      exclude: ["Corpora", "ReplayTests.swift"],
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
    : .testTarget(
      name: "FuzzTests", dependencies: dependencies, exclude: ["Corpora", "Fuzz.swift"],
      swiftSettings: settings)
}()

let desktop: [Target] = [
  // CGtk contains the GTK headers; those of GLib are in CGio.
  .systemLibrary(
    name: "CGtk", pkgConfig: "libadwaita-1", providers: [.apt(["libadwaita-1-dev"])]),
  .systemLibrary(name: "CWebKit", providers: [.apt(["libwebkitgtk-6.0-dev"])]),
  // CGio contains the GLib headers.
  .systemLibrary(name: "CGio", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
  .systemLibrary(
    name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),

  .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),

  // Overwrites freed memory in the programs that link it.
  .target(name: "CWipe"),

  .target(name: "Gio", dependencies: ["CGio", "CurlHTTP"], swiftSettings: strict),
  .target(
    name: "SecretStore", dependencies: ["AuthCore", "CGio", "CSecret", "Gio", "Sentences"],
    swiftSettings: strict),
  .target(
    name: "IdentityBroker", dependencies: ["AuthCore", "CGio", "Gio", "Sentences"],
    swiftSettings: strict),
  .target(
    name: "Clients",
    dependencies: [
      "AuthCore", "CGio", "Connections", "CurlHTTP", "Gio", "IdentityBroker", "MicrosoftGraph",
      "SecretStore", logging,
    ],
    swiftSettings: strict),
  .target(
    name: "Gtk", dependencies: ["CGio", "CGtk", "Gio"], swiftSettings: onMainActor),
  .target(
    name: "WebSignIn",
    dependencies: [
      "AuthCore", "CGio", "CWebKit", "CurlHTTP", "Gio", "Gtk", "Localization", "Sentences",
    ],
    swiftSettings: onMainActor + webKitHeaders),
  .executableTarget(
    name: "Entrance",
    dependencies: [
      "AuthCore", "CQREncode", "CWipe", "Clients", "Connections", "CurlHTTP", "EntranceKit", "Gio",
      "Gtk", "Localization", "MicrosoftGraph", "SecretStore", "Sentences", "WebSignIn",
    ],
    swiftSettings: onMainActor),

  .executableTarget(
    name: "entrancectl",
    dependencies: [
      "AuthCore", "CGio", "CWipe", "Clients", "Connections", "CurlHTTP", "EntranceKit", "Gio",
      "HTTPFiles", "IdentityBroker", "Localization", "MicrosoftGraph", "SecretStore", "Sentences",
      httpTypes,
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    swiftSettings: strict),

  // Benchmarks of the store, and their floors.
  .executableTarget(
    name: "store-benchmark",
    dependencies: ["AuthCore", "BenchmarkSupport", "CurlHTTP", "SecretStore", crypto, httpTypes],
    path: "Benchmarks/store", swiftSettings: strict),

  // Writes to a store until it is killed.
  .executableTarget(
    name: "store-tool", dependencies: ["AuthCore", "SecretStore"], path: "Tests/StoreTool",
    swiftSettings: strict),

  // Checks the Gtk target on a display.
  .executableTarget(
    name: "gtk-tool", dependencies: ["CGio", "CGtk", "Gio", "Gtk"], path: "Tests/GtkTool",
    swiftSettings: onMainActor),

  // Opens the sign-in window alone.
  .executableTarget(
    name: "web-tool", dependencies: ["AuthCore", "CGtk", "CurlHTTP", "Gtk", "WebSignIn"],
    path: "Tests/WebTool", swiftSettings: onMainActor),

  // Runs the auth core with a token cache, for tests with other MSALs.
  .executableTarget(
    name: "cache-tool", dependencies: ["AuthCore", "Connections", "SecretStore"],
    path: "Tests/CacheTool", swiftSettings: strict),

  .testTarget(
    name: "WebSignInTests", dependencies: ["WebSignIn", "AuthCore"],
    swiftSettings: strict + webKitHeaders),
  .testTarget(
    name: "SecretStoreTests", dependencies: ["SecretStore", "AuthCore"], swiftSettings: strict),
  .testTarget(
    name: "IdentityBrokerTests",
    dependencies: ["IdentityBroker", "AuthCore", "CurlHTTP", "TestSupport"],
    exclude: ["stand_in.py"], swiftSettings: strict),
  .testTarget(
    name: "ClientsTests",
    dependencies: [
      "Clients", "AuthCore", "Connections", "CurlHTTP", "MicrosoftGraph", "TestSupport", httpTypes,
    ],
    swiftSettings: strict),
]

func dependency(
  _ repository: String, from version: Version,
  traits: Set<Package.Dependency.Trait> = [.defaults]
) -> Package.Dependency {
  guard let name = repository.split(separator: "/").last, local else {
    return .package(url: "https://github.com/\(repository)", from: version, traits: traits)
  }
  return .package(path: "swift-packages/\(name)", traits: traits)
}

let package = Package(
  name: "entrance",
  products: [
    .library(name: "AuthCore", targets: ["AuthCore", "Sentences"]),
    .library(name: "CurlHTTP", targets: ["CurlHTTP"]),
    .library(name: "IdentityEmulator", targets: ["IdentityEmulator"]),
    .library(name: "MicrosoftGraph", targets: ["MicrosoftGraph"]),
    .executable(name: "identity-emulator", targets: ["identity-emulator"]),
  ]
    + (headless
      ? []
      : [
        .library(name: "Clients", targets: ["Clients", "Connections"]),
        .library(name: "SecretStore", targets: ["SecretStore"]),
        .library(name: "IdentityBroker", targets: ["IdentityBroker"]),
        .executable(name: "entrance", targets: ["Entrance"]),
        .executable(name: "entrancectl", targets: ["entrancectl"]),
      ]),
  dependencies: [
    dependency("apple/swift-argument-parser", from: "1.8.0"),
    dependency("apple/swift-asn1", from: "1.5.0"),
    dependency("apple/swift-certificates", from: "1.21.0"),
    dependency("apple/swift-crypto", from: "4.5.0"),
    dependency("apple/swift-http-types", from: "1.8.0", traits: []),
    dependency("apple/swift-log", from: "1.14.0"),
    dependency("vapor/jwt-kit", from: "5.7.0"),
  ],
  targets: core + [fuzz] + (headless ? [] : desktop)
)
