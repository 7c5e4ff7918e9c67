import Foundation
import Testing

@testable import Reports

@Suite("SHA-256")
struct SHA256Tests {
    // Examples of FIPS 180 (empty, one block, two blocks), computed again with sha256sum.
    @Test(
        "Published examples",
        arguments: [
            ("", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
            ("abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="
            ),
        ])
    func examples(_ text: String, _ digest: String) {
        #expect(Data(SHA256.digest(Array(text.utf8))).base64EncodedString() == digest)
    }
}
