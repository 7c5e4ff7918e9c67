/// Two callbacks of which one came right after the other, by the first kinds that they have; 0 stands for none before.
struct FollowedCallback: Hashable {
    var previous: Int64
    var next: Int64
}
